// A chat in the terminal: streams the answer, asks before a tool runs, Ctrl-C stops the answer and then the program.
import {
  type CanUseToolCallback,
  ClaudeCodeClient,
  type ResultMessage,
  type SessionMessage,
} from 'claude-code-agent'
import { Terminal } from './terminal.ts'

const terminal = new Terminal()

const askPermission: CanUseToolCallback = async (toolName, input, { suggestions, signal }) => {
  const choices = suggestions.length > 0 ? 'y/n/always' : 'y/n'
  terminal.write('\n')
  const answer = await terminal.ask(`Allow ${toolName} ${JSON.stringify(input)}? (${choices}) `, signal)
  if (answer === 'y' || answer === 'yes') return { behavior: 'allow' }
  // The CLI proposes rules that fit the call. They hold for this session; nothing is written to a settings file.
  if (answer === 'always')
    return {
      behavior: 'allow',
      updatedPermissions: suggestions.map((rule) => ({ ...rule, destination: 'session' as const })),
    }
  return { behavior: 'deny', message: 'The user said no.' }
}

const client = new ClaudeCodeClient({ canUseTool: askPermission, includePartialMessages: true })
await client.connect()

let answering = false
terminal.onInterrupt(() => {
  if (!answering) return void quit()
  answering = false
  terminal.write('\n(stopping; Ctrl-C again to leave)')
  void client.interrupt()
})

for (let prompt = await terminal.ask('> '); prompt !== undefined; prompt = await terminal.ask('> ')) {
  if (prompt === '') continue
  answering = true
  await client.query(prompt)
  for await (const message of client.receiveResponse()) show(message)
  answering = false
}
await quit()

async function quit(): Promise<void> {
  terminal.close()
  await client.disconnect()
}

function show(message: SessionMessage): void {
  if (message.type === 'stream_event') terminal.write(textDelta(message.raw))
  if (message.type === 'tool_use') terminal.write(`\n[${message.toolName}]\n`)
  if (message.type === 'result') terminal.write(`${endOfTurn(message)}\n`)
}

function endOfTurn({ outcome, content }: ResultMessage): string {
  if (outcome === 'completed') return ''
  return outcome === 'interrupted' ? '\n(interrupted)' : `\n(${outcome}: ${content})`
}

/** The words as they come. The complete text follows as an `assistant` message, which is not shown again here. */
function textDelta(raw: Record<string, unknown>): string {
  const event = raw.event as { delta?: { type: string; text?: string } } | undefined
  return event?.delta?.text ?? ''
}
