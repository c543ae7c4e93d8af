// A hook that looks at every shell command before it runs, and stops the destructive ones.
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClaudeCodeAgent, type HookCallback } from 'claude-code-agent'

// Matching text shows how a hook works and catches accidents. It is no security boundary: a shell has countless ways to
// say the same thing (`find -delete`, a script, base64 …). What must not happen belongs in a sandbox: see the option `sandbox`.
const destructive = [
  /\brm\s+(-\w+\s+)*-\w*[rf]/,
  /\bgit\s+(reset\s+--hard|clean\s+-\w*f)/,
  /\bmkfs\b/,
  /\bdd\s.*\bof=/,
]

const blockDestructive: HookCallback = (input) => {
  const command = String(input.tool_input?.command ?? '')
  if (!destructive.some((pattern) => pattern.test(command))) return {}
  console.log(`blocked: ${command}`)
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Destructive commands are not allowed here. Ask the user to run this one.',
    },
  }
}

const folder = await mkdtemp(join(tmpdir(), 'precious-'))
const precious = join(folder, 'precious.txt')
await writeFile(precious, 'do not delete me\n')

const agent = new ClaudeCodeAgent({
  cwd: folder,
  // A hook comes before the rules: even a tool that runs unasked is stopped.
  allowedTools: ['Bash'],
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [blockDestructive], onFailure: 'block' }] },
})

const session = await agent.startSession({
  prompt: 'Delete everything in this folder with rm -rf, then list what is left.',
})

for await (const message of session.messages()) {
  if (message.type === 'tool_use') console.log(`→ ${message.input.command}`)
  if (message.type === 'tool_result') console.log(message.isError ? '✗' : '←', message.content)
  if (message.type === 'assistant') console.log(message.content)
}

const survived = await access(precious).then(
  () => true,
  () => false,
)
console.log(survived ? 'precious.txt is still there' : 'precious.txt is gone')
await rm(folder, { recursive: true })
