/** How the CLI starts and ends, and the frames on its wire. */
import { randomUUID } from 'node:crypto'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { serverInfo } from '../host-answers.ts'
import { type Rig, streamArguments } from '../rig.ts'

const flags = ['packages/claude-code-agent/src/launch/arguments.ts']
const core = ['packages/claude-code-agent/src/session/session-core.ts']

/** Over stdio, without any tool. */
const plainServer = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = method === 'initialize' ? ${JSON.stringify(serverInfo)} : { tools: [] }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

/** By the project's record in the CLI's own file. */
function isKeptOff(rig: Rig, server: string): boolean {
  const { projects = {} } = JSON.parse(rig.readNow('.claude/.claude.json'))
  return projects[rig.cwd]?.disabledMcpServers?.includes(server) ?? false
}

export const launchCases: ContractCase[] = [
  {
    id: 'launch/version',
    title: '`--version` prints the version and a name',
    reliedOnBy: ['packages/claude-code-agent/src/transport/check-version.ts'],
    expected: { code: 0, fits: true },
    async observe(rig) {
      const cli = rig.spawn(['--version'])
      const code = await cli.end()
      return { code, fits: /^2\.\d+\.\d+ \(Claude Code\)$/.test(cli.frames[0]?.line) }
    },
  },
  {
    id: 'launch/unknown-tools',
    title: 'A tool that the CLI does not know is left out without a word, of its own tools and of an agent’s',
    reliedOnBy: ['packages/server/src/core/profiles/built-in-tools.ts'],
    expected: { answered: 'success', tools: ['Agent', 'Read'], said: false },
    async observe(rig) {
      const cli = rig.spawn([...streamArguments, '--tools=Read,Reed,Agent', '--setting-sources='])
      const agents = { looker: { description: 'looks', prompt: 'Look.', tools: ['Reed'] } }
      const answered = await cli.ask('initialize', { agents })
      await cli.turn('go')
      const said = JSON.stringify([answered, ...cli.frames]).includes('Reed')
      return { answered: answered.subtype, tools: rig.asked[0]?.toolNames.toSorted(), said }
    },
  },
  {
    id: 'launch/flags',
    title: 'The CLI takes every flag of ours as `--flag=value`',
    reliedOnBy: flags,
    expected: {
      answered: 'success',
      model: 'claude-haiku-4-5',
      mode: 'acceptEdits',
      id: true,
      tools: ['Bash', 'Read'],
    },
    async observe(rig) {
      const id = randomUUID()
      const cli = rig.spawn([
        ...streamArguments,
        ...['--max-thinking-tokens=1024', '--thinking-display=summarized', '--effort=low', '--max-turns=5'],
        ...[
          '--max-budget-usd=1',
          '--task-budget=20000',
          '--model=claude-haiku-4-5',
          '--fallback-model=claude-sonnet-4-5',
        ],
        ...['--permission-prompt-tool=stdio', '--permission-mode=acceptEdits', '--allowedTools=Read,Bash'],
        ...[
          '--disallowedTools=Write',
          '--tools=Read,Bash',
          '--mcp-config={"mcpServers":{}}',
          '--strict-mcp-config',
        ],
        ...[
          '--setting-sources=',
          '--settings={}',
          `--add-dir=${rig.home}`,
          `--debug-file=${rig.home}/debug.txt`,
        ],
        ...[
          '--json-schema={"type":"object","properties":{}}',
          '--include-partial-messages',
          '--include-hook-events',
        ],
        ...['--no-session-persistence', `--session-id=${id}`],
      ])
      const answered = await cli.ask('initialize')
      await cli.turn('go')
      const [init] = cli.all({ subtype: 'init' })
      return {
        answered: answered.subtype,
        model: init.model,
        mode: init.permissionMode,
        id: init.session_id === id,
        tools: rig.asked[0]?.toolNames.filter((name) => name !== 'StructuredOutput').sort(),
      }
    },
  },
  {
    id: 'launch/initialize',
    title: '`initialize` is answered with commands, agents, models and the account, before any message',
    reliedOnBy: core,
    expected: { lists: ['agents', 'commands', 'models'], hasAccount: true },
    async observe(rig) {
      const cli = await rig.start({ initialize: false })
      const { response } = await cli.ask('initialize')
      return {
        lists: ['agents', 'commands', 'models'].filter((name) => Array.isArray(response[name])),
        hasAccount: typeof response.account === 'object',
      }
    },
  },
  {
    id: 'launch/system-prompt',
    title: '`initialize` replaces the system prompt, or adds to it',
    reliedOnBy: ['packages/claude-code-agent/src/launch/initialize.ts'],
    expected: { replaced: true, keptOwn: true, added: true },
    async observe(rig) {
      const system = async (initialize: Record<string, unknown>): Promise<string> => {
        const cli = await rig.start({ initialize })
        await cli.turn('go')
        return rig.asked.at(-1)?.system ?? ''
      }
      const replaced = await system({ systemPrompt: ['ONLY THIS'] })
      const added = await system({ appendSystemPrompt: 'AND THIS' })
      return {
        replaced: replaced.includes('ONLY THIS') && replaced.length < added.length / 4,
        keptOwn: added.length > 2_000,
        added: added.includes('AND THIS'),
      }
    },
  },
  {
    id: 'launch/private-files',
    title: 'Settings and servers in files are read at the start and never again',
    reliedOnBy: ['packages/claude-code-agent/src/launch/private-files.ts'],
    security: true,
    expected: { denied: true, servers: ['s'] },
    async observe(rig) {
      const deny = [`Read(/${rig.home}/secret)`]
      await rig.write('secret', 'SECRET')
      await rig.write('private/settings.json', { permissions: { deny } })
      const config = { mcpServers: { s: { command: 'true', args: [] } } }
      await rig.write('private/servers.json', config)
      const cli = await rig.start({
        args: [
          `--settings=${rig.home}/private/settings.json`,
          `--mcp-config=${rig.home}/private/servers.json`,
        ],
      })
      await rig.remove('private')
      rig.script('one')
      await cli.turn('one')
      rig.script(toolUse('Read', { file_path: `${rig.home}/secret` }))
      await cli.turn('two')
      const { response } = await cli.ask('mcp_status')
      return {
        denied: !rig.asked.some((request) => request.newText.includes('SECRET')),
        servers: response.mcpServers.map((server: { name: string }) => server.name),
      }
    },
  },
  {
    id: 'launch/malformed-line',
    title: 'A line on stdin that is no JSON ends the CLI with code 1',
    reliedOnBy: ['packages/claude-code-agent/src/transport/subprocess.ts'],
    expected: { code: 1 },
    async observe(rig) {
      const cli = await rig.start()
      cli.write('{not json')
      return { code: await cli.exited }
    },
  },
  {
    id: 'launch/end-session',
    title: '`end_session` is answered, then the CLI ends with code 0',
    reliedOnBy: core,
    expected: { answered: 'success', code: 0 },
    async observe(rig) {
      const cli = await rig.start()
      await cli.turn('go')
      return { answered: (await cli.ask('end_session')).subtype, code: await cli.exited }
    },
  },
  {
    id: 'launch/exit-code',
    title: 'After the end of its input the CLI ends: 0 after a success, 1 after an error or an interrupt',
    reliedOnBy: ['packages/claude-code-agent/src/session/verdict.ts'],
    expected: { afterSuccess: 0, afterInterrupt: 1 },
    async observe(rig) {
      const calm = await rig.start()
      await calm.turn('go')
      const interrupted = await rig.start({ permit: () => undefined })
      rig.script(toolUse('Bash', { command: 'touch x' }))
      interrupted.say('go')
      await interrupted.request('can_use_tool')
      await interrupted.ask('interrupt')
      await interrupted.result()
      return { afterSuccess: await calm.end(), afterInterrupt: await interrupted.end() }
    },
  },
  {
    id: 'launch/unknown-request',
    title: 'A control request that the CLI does not know is answered with an error',
    reliedOnBy: ['packages/claude-code-agent/src/protocol/control-channel.ts'],
    expected: { subtype: 'error' },
    async observe(rig) {
      const cli = await rig.start()
      return { subtype: (await cli.ask('no_such_request')).subtype }
    },
  },
  {
    id: 'launch/stray-answers',
    title: 'Answers to nothing, answers given twice and `keep_alive` are ignored',
    reliedOnBy: ['packages/claude-code-agent/src/protocol/control-channel.ts'],
    expected: { result: 'success' },
    async observe(rig) {
      const cli = await rig.start()
      cli.respond(randomUUID(), { behavior: 'allow' })
      cli.send({ type: 'keep_alive' })
      return { result: (await cli.turn('go')).subtype }
    },
  },
  {
    id: 'launch/unknown-session',
    title:
      'To resume a session that is not there ends in a result and code 1, without an answer to `initialize`',
    reliedOnBy: ['packages/claude-code-agent/src/session/verdict.ts'],
    expected: { result: 'error_during_execution', answers: 0, code: 1 },
    async observe(rig) {
      const cli = await rig.start({ initialize: false, args: [`--resume=${randomUUID()}`] })
      cli.send({ type: 'control_request', request_id: 'r', request: { subtype: 'initialize' } })
      const code = await cli.exited
      return {
        result: cli.all({ type: 'result' })[0]?.subtype,
        answers: cli.all({ type: 'control_response' }).length,
        code,
      }
    },
  },
  {
    id: 'launch/taken-id',
    title: 'A session id that has a transcript is not begun again: the CLI ends with code 1 before any JSON',
    reliedOnBy: ['packages/server/src/adapters/claude/transcript-facts.ts'],
    expected: { code: 1, frames: 0 },
    async observe(rig) {
      const id = randomUUID()
      const first = await rig.start({ args: [`--session-id=${id}`] })
      await first.turn('go')
      await first.end()
      const second = await rig.start({ initialize: false, args: [`--session-id=${id}`] })
      return { code: await second.exited, frames: second.frames.length }
    },
  },
  {
    id: 'launch/bypass-as-root',
    title: 'As root the CLI refuses bypass before any JSON, unless `IS_SANDBOX` says that it is contained',
    reliedOnBy: [
      'packages/server/src/credentials/agent-environment.ts',
      'packages/server/src/adapters/claude/agent.ts',
    ],
    unavailable: () => (process.getuid?.() === 0 ? undefined : 'only root is refused'),
    expected: { code: 1, frames: 0, contained: 'success' },
    async observe(rig) {
      const args = ['--permission-mode=bypassPermissions', '--allow-dangerously-skip-permissions']
      const refused = await rig.start({ initialize: false, args })
      const contained = await rig.start({ args, env: { IS_SANDBOX: '1' } })
      return {
        code: await refused.exited,
        frames: refused.frames.length,
        contained: (await contained.turn('go')).subtype,
      }
    },
  },
  {
    id: 'launch/control-requests',
    title:
      'The CLI answers the control requests that we send; how full the context is comes with its parts; a server that is switched off is kept so in `.claude.json`',
    reliedOnBy: [
      'packages/claude-code-agent/src/session/session.ts',
      'packages/server/src/core/mcp/session-servers.ts',
      'packages/client/src/conversation/context-usage.ts',
    ],
    expected: {
      refused: [],
      figures: [],
      parts: ['buffer', 'free', 'used'],
      switched: [
        { answer: 'success', status: 'disabled', isKept: true },
        { answer: 'success', status: 'connected', isKept: true },
      ],
    },
    async observe(rig) {
      const mcpServers = { s: { command: process.execPath, args: ['-e', plainServer] } }
      const cli = await rig.start({ args: [`--mcp-config=${JSON.stringify({ mcpServers })}`] })
      await cli.turn('go')
      const requests: [string, Record<string, unknown>][] = [
        ['set_model', { model: 'haiku' }],
        ['set_max_thinking_tokens', { max_thinking_tokens: 0 }],
        ['mcp_status', {}],
        ['get_context_usage', { detail: 'summary' }],
        ['get_session_cost', {}],
        ['get_usage', {}],
        ['background_tasks', {}],
        ['apply_flag_settings', { settings: { effortLevel: 'low' } }],
        ['get_settings', {}],
        ['list_permission_rules', {}],
        ['file_suggestions', { query: 'a' }],
        ['rename_session', { title: 'T' }],
        ['reload_plugins', {}],
        ['reload_skills', {}],
        ['get_hooks_listing', {}],
        ['mcp_reconnect', { serverName: 's' }],
      ]
      const refused: string[] = []
      for (const [subtype, more] of requests) {
        const answer = await cli.ask(subtype, more)
        if (answer.subtype !== 'success') refused.push(`${subtype}: ${answer.error}`)
      }
      const { response: context } = await cli.ask('get_context_usage')
      const parts: Frame[] = context.categories.filter(
        ({ name, tokens }: Frame) => typeof name === 'string' && typeof tokens === 'number',
      )
      const switched: Frame[] = []
      for (const enabled of [false, true]) {
        const answer = await cli.ask('mcp_toggle', { serverName: 's', enabled })
        const { mcpServers } = (await cli.ask('mcp_status')).response
        const { status } = mcpServers.find(({ name }: Frame) => name === 's')
        // Written some time after the answer.
        const isKept = await rig.poll(() => isKeptOff(rig, 's') !== enabled)
        switched.push({ answer: answer.subtype, status, isKept })
      }
      const figures = ['maxTokens', 'totalTokens', 'autoCompactThreshold']
      return {
        refused,
        figures: figures.filter((name) => typeof context[name] !== 'number'),
        parts: [...new Set(parts.map(({ kind }) => kind))].sort(),
        switched,
      }
    },
  },
]
