/** Variables by which we steer the CLI, and that no document explains as we use them. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type ModelRequest, toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'

const file = ['packages/claude-code-agent/src/launch/undocumented-variables.ts']
const environment = ['packages/claude-code-agent/src/launch/environment.ts']

/** The words behind `SEEN-` in what the model was sent. */
function marksIn(asked: readonly ModelRequest[]): string[] {
  const sent = JSON.stringify(asked.map(({ body }) => body))
  return [...new Set(Array.from(sent.matchAll(/SEEN-([A-Z]+)/g), ([, what]) => what ?? ''))].toSorted()
}

export const variableCases: ContractCase[] = [
  {
    id: 'variables/session-state',
    title:
      '`CLAUDE_CODE_SDK_READS_SESSION_STATE` makes the CLI report its state; without it none is reported',
    reliedOnBy: [...file, ...environment],
    expected: { without: 0, with: 2, together: 2 },
    async observe(rig) {
      const reports = async (env: Record<string, string | undefined>): Promise<number> => {
        const cli = await rig.start({ env })
        cli.say('go')
        await cli.result()
        await cli.ask('end_session')
        await cli.exited
        return cli.all({ subtype: 'session_state_changed' }).length
      }
      const off = { CLAUDE_CODE_SDK_READS_SESSION_STATE: undefined }
      return {
        without: await reports(off),
        with: await reports({}),
        together: await reports({ CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' }),
      }
    },
  },
  {
    id: 'variables/reads-nothing',
    title:
      '`CLAUDE_CODE_DISABLE_CLAUDE_MDS` and `CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS` each keep one thing of the folder from the model',
    reliedOnBy: [...file, 'packages/server/src/credentials/agent-environment.ts'],
    security: true,
    expected: {
      none: ['COMMIT', 'MEMORY'],
      CLAUDE_CODE_DISABLE_CLAUDE_MDS: ['COMMIT'],
      CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: ['MEMORY'],
    },
    async observe(rig) {
      await rig.write('project/CLAUDE.md', 'SEEN-MEMORY')
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
          cwd: rig.cwd,
          stdio: 'ignore',
        })
      git('init')
      git('add', '.')
      git('commit', '-m', 'SEEN-COMMIT')
      const seen = async (env: Record<string, string>): Promise<string[]> => {
        const before = rig.asked.length
        await (await rig.start({ sources: 'user,project,local', env })).turn('go')
        return marksIn(rig.asked.slice(before))
      }
      const names = ['CLAUDE_CODE_DISABLE_CLAUDE_MDS', 'CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS']
      const found: Record<string, string[]> = { none: await seen({}) }
      for (const name of names) found[name] = await seen({ [name]: '1' })
      return found
    },
  },
  {
    id: 'variables/mentions',
    title:
      'What a message names with `@` is read wherever it lies, unasked and unseen by hooks, and by a command’s text too; with `CLAUDE_CODE_DISABLE_FILE_MENTIONS` over all files it is named to the model alone',
    reliedOnBy: [
      ...file,
      'packages/server/src/credentials/agent-environment.ts',
      'packages/server/src/adapters/claude/agent-settings.ts',
    ],
    security: true,
    expected: {
      // In the environment alone it is undone by a settings file.
      byFile: { read: ['ABOVE', 'COMMAND', 'HOME', 'INSIDE', 'LINK', 'NAME'], named: false, seen: [] },
      overAllFiles: { read: [], named: true, seen: [] },
    },
    async observe(rig) {
      await rig.write('.claude/settings.json', { env: { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '0' } })
      await rig.write(
        'project/.claude/commands/c.md',
        `Read @${await rig.write('a/command.txt', 'SEEN-COMMAND')}`,
      )
      await rig.write('project/inside.txt', 'SEEN-INSIDE')
      await rig.write('notes.txt', 'SEEN-HOME')
      await rig.write('above.txt', 'SEEN-ABOVE')
      await rig.write('folder/SEEN-NAME.txt', '')
      await rig.write('a/linked.txt', 'SEEN-LINK')
      await rig.link('a/linked.txt', 'project/link.txt')
      const effect = async (settings: Frame): Promise<Frame> => {
        const seen: string[] = []
        const cli = await rig.start({
          sources: 'user,project,local',
          env: { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' },
          settings,
          hooks: { PreToolUse: (input) => seen.push(input.tool_name) && {} },
        })
        const before = rig.asked.length
        await cli.turn('look at @~/notes.txt @../above.txt @link.txt @../folder @inside.txt')
        await cli.turn('/c')
        const asked = rig.asked.slice(before)
        const named = JSON.stringify(asked.map(({ body }) => body)).includes(
          'The user @-mentioned ~/notes.txt',
        )
        return { read: marksIn(asked), named, seen: [...seen, ...cli.requests('can_use_tool')] }
      }
      return {
        byFile: await effect({}),
        overAllFiles: await effect({ env: { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' } }),
      }
    },
  },
  {
    id: 'variables/provider-managed',
    title:
      '`CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST` keeps settings files from sending model calls elsewhere, and the credential from commands',
    reliedOnBy: [...file, 'packages/server/src/credentials/agent-environment.ts'],
    security: true,
    expected: { elsewhereWithoutIt: true, here: true, elsewhere: false, commandSees: '[]' },
    async observe(rig) {
      const other = await rig.sibling()
      const env = { ANTHROPIC_BASE_URL: other.model.url, ANTHROPIC_AUTH_TOKEN: 'from-a-file' }
      await rig.write('.claude/settings.json', { env })
      await rig.write('project/.claude/settings.json', { env })
      const sources = 'user,project,local'
      await (await rig.start({ sources })).turn('go')
      const elsewhereWithoutIt = other.asked.length > 0
      const before = other.asked.length
      const managed = {
        CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: '1',
        ANTHROPIC_AUTH_TOKEN: 'ours',
        ANTHROPIC_API_KEY: undefined,
      }
      const cli = await rig.start({ sources, env: managed })
      rig.script(toolUse('Bash', { command: 'echo "[$ANTHROPIC_AUTH_TOKEN]"' }))
      await cli.turn('go')
      return {
        elsewhereWithoutIt,
        here: rig.asked.length > 0,
        elsewhere: other.asked.length > before,
        commandSees: rig.asked.at(-1)?.toolResults.at(-1)?.text.trim(),
      }
    },
  },
  {
    id: 'variables/todo-tools',
    title: '`CLAUDE_CODE_ENABLE_TODO_TOOLS` gives the model the tools for a list of tasks',
    reliedOnBy: [...file, 'packages/server/src/credentials/agent-environment.ts'],
    expected: { without: [], with: ['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'] },
    async observe(rig) {
      const tools = async (value: string | undefined): Promise<string[]> => {
        const cli = await rig.start({ env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: value } })
        await cli.turn('go')
        return (rig.asked.at(-1)?.toolNames ?? []).filter((name) => /^Task(?!Stop|Output)/.test(name)).sort()
      }
      return { without: await tools(undefined), with: await tools('1') }
    },
  },
  {
    id: 'variables/editor-port',
    title:
      'The port of an editor (`CLAUDE_CODE_SSE_PORT`) is not connected to by a CLI that a program drives',
    reliedOnBy: [...file, ...environment],
    expected: { connections: 0, result: 'success' },
    async observe(rig) {
      let connections = 0
      const editor = createServer((socket) => {
        connections += 1
        socket.destroy()
      })
      editor.listen(0, '127.0.0.1')
      await once(editor, 'listening')
      const { port } = editor.address() as AddressInfo
      try {
        const cli = await rig.start({ env: { CLAUDE_CODE_SSE_PORT: String(port) } })
        const { subtype: result } = await cli.turn('go')
        return { connections, result }
      } finally {
        editor.close()
      }
    },
  },
  {
    id: 'variables/entrypoint',
    title: '`CLAUDE_CODE_ENTRYPOINT` and `CLAUDE_AGENT_SDK_VERSION` are sent to the model’s API as who asks',
    reliedOnBy: [...file, ...environment],
    expected: { entrypoint: true, version: true },
    async observe(rig) {
      const env = { CLAUDE_CODE_ENTRYPOINT: 'sdk-ts', CLAUDE_AGENT_SDK_VERSION: '9.8.7' }
      await (await rig.start({ env })).turn('go')
      const agent = String(rig.asked[0]?.headers['user-agent'])
      return { entrypoint: agent.includes('sdk-ts'), version: agent.includes('9.8.7') }
    },
  },
  {
    id: 'variables/question-preview',
    title: '`CLAUDE_CODE_QUESTION_PREVIEW_FORMAT` gives the options of questions a preview',
    reliedOnBy: [...file, ...environment],
    expected: { without: false, with: true },
    async observe(rig) {
      const offersPreview = async (value: string | undefined): Promise<boolean> => {
        const cli = await rig.start({ env: { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: value } })
        await cli.turn('go')
        const tool = rig.asked.at(-1)?.tools.find((one) => one.name === 'AskUserQuestion')
        return JSON.stringify(tool).includes('HTML')
      }
      return { without: await offersPreview(undefined), with: await offersPreview('html') }
    },
  },
  {
    id: 'variables/model-socket',
    title:
      '`ANTHROPIC_UNIX_SOCKET` leads model calls elsewhere from the environment, and not from a settings file',
    reliedOnBy: [...file, 'packages/server/src/credentials/provider-variables.ts'],
    security: true,
    expected: { byFile: { result: 'success', elsewhere: false }, byEnvironment: { elsewhere: true } },
    async observe(rig) {
      let connections = 0
      const socket = join(rig.home, 'model.sock')
      const elsewhere = createServer((connection) => {
        connections += 1
        connection.destroy()
      })
      elsewhere.listen(socket)
      await once(elsewhere, 'listening')
      try {
        await rig.write('.claude/settings.json', { env: { ANTHROPIC_UNIX_SOCKET: socket } })
        const { subtype: result } = await (await rig.start({ sources: 'user' })).turn('go')
        const byFile = { result, elsewhere: connections > 0 }
        const cli = await rig.start({ env: { ANTHROPIC_UNIX_SOCKET: socket } })
        cli.say('go')
        return { byFile, byEnvironment: { elsewhere: await rig.poll(() => connections > 0) } }
      } finally {
        elsewhere.close()
      }
    },
  },
]
