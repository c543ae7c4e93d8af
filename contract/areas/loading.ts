/** What the CLI loads and runs by itself: by which names, from which places, under which keys. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { commandHook } from '../host-answers.ts'
import { installPlugins, type PluginFiles } from '../plugin-files.ts'
import type { Rig, StartOptions } from '../rig.ts'

const everySource = 'user,project,local'

/** Names below a project's `.claude` under which the CLI and agents keep what nobody is asked about. */
const dataNames = [
  ...['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'RESUME.md', 'agent-memory', 'agent-memory-local'],
  ...['worktrees', 'projects', 'checkpoints', 'mailbox', 'plans', 'todos', 'tasks', 'jobs', 'state', 'debug'],
  ...['scheduled_tasks.lock', 'agent-registry.json', 'assistant-daemon-state.json', 'first-run', 'history'],
  ...['history.jsonl', 'file-history', 'shell-snapshots', 'session-env', 'statsig', 'telemetry', 'logs'],
  ...['cache', 'ide', 'local', 'bash-log.txt', '.cc-writes', '.DS_Store', 'Thumbs.db'],
]

const partsOf = [
  'agent',
  'command',
  'skill',
  'style',
  'rule',
  'workflow',
  'hook',
  'settings',
  'local',
  'server',
]

/** One of everything that the CLI could load of a `.claude` folder, each under a name with this prefix. */
async function writeEverything(rig: Rig, folder: string, prefix: string): Promise<void> {
  const text = (part: string): string =>
    `---\nname: ${prefix}-${part}\ndescription: d\n---\n${prefix}-${part}\n`
  const hooks = async (part: string): Promise<Frame> => ({
    hooks: { SessionStart: commandHook(await rig.marker(`${prefix}-${part}`)) },
  })
  const files = {
    [`agents/${prefix}-agent.md`]: text('agent'),
    [`commands/${prefix}-command.md`]: text('command'),
    [`skills/${prefix}-skill/SKILL.md`]: text('skill'),
    [`output-styles/${prefix}-style.md`]: text('style'),
    [`rules/${prefix}.md`]: `${prefix}-rule\n`,
    [`workflows/${prefix}-workflow.js`]: `export const meta = { name: '${prefix}-workflow', description: 'd' }\n`,
    'hooks/hooks.json': await hooks('hook'),
    'settings.json': await hooks('settings'),
    'settings.local.json': await hooks('local'),
    '.mcp.json': { mcpServers: { [`${prefix}-server`]: { command: 'true', args: [] } } },
  }
  for (const [path, content] of Object.entries(files)) await rig.write(`${folder}/${path}`, content)
}

/** Keys of settings files whose value is a command, and one that is a program for each system. */
const commandKeys = [
  ...['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh', 'headersHelper'],
  ...['otelHeadersHelper', 'processWrapper', 'proxyAuthHelper'],
]
const commandObjects = ['fileSuggestion', 'statusLine', 'subagentStatusLine']
const everyKey = [...commandKeys, ...commandObjects, 'policyHelper', 'policyHelpers']

async function everyCommand(rig: Rig): Promise<Frame> {
  const entries: [string, Frame][] = []
  for (const key of commandKeys) entries.push([key, await rig.marker(key, 'printed')])
  for (const key of commandObjects)
    entries.push([key, { type: 'command', command: await rig.marker(key, 'printed') }])
  return {
    ...Object.fromEntries(entries),
    policyHelper: { path: await rig.marker('policyHelper', {}) },
    policyHelpers: { linux: { path: await rig.marker('policyHelpers', {}) } },
  }
}

/** A hook for messages, which leaves a mark. */
const markedHook = async (rig: Rig, mark: string): Promise<Frame> => ({
  UserPromptSubmit: commandHook(await rig.marker(mark)),
})

/** By each of its names: where a plugin says which hooks and servers it has. */
async function declaringPlugins(rig: Rig): Promise<Record<string, PluginFiles>> {
  const hook = (mark: string): Promise<Frame> => markedHook(rig, mark)
  const server = async (mark: string): Promise<Frame> => ({
    [mark]: { command: await rig.marker(mark), args: [] },
  })
  const usual = async (name: string): Promise<Frame> => ({
    'hooks/hooks.json': { hooks: await hook(`${name}-usual`) },
    '.mcp.json': { mcpServers: await server(`${name}-usual-server`) },
    'more.json': { hooks: await hook(`${name}-named`) },
    'servers.json': { mcpServers: await server(`${name}-named-server`) },
  })
  return {
    names: {
      manifest: { hooks: ['./more.json'], mcpServers: './servers.json' },
      files: await usual('names'),
    },
    holds: {
      manifest: { hooks: await hook('holds-own'), mcpServers: await server('holds-own-server') },
      files: await usual('holds'),
    },
    listed: {
      manifest: {},
      entry: { hooks: await hook('listed-entry'), mcpServers: await server('listed-entry-server') },
      files: await usual('listed'),
    },
    bare: {
      entry: { hooks: await hook('bare-entry'), mcpServers: await server('bare-entry-server') },
      files: await usual('bare'),
    },
    leaves: { manifest: { hooks: './../more.json' }, files: await usual('leaves') },
  }
}

export const loadingCases: ContractCase[] = [
  {
    id: 'loading/names',
    title:
      'What a project’s `.claude` folder loads is under known names, here and above up to the root of the repository; of what lies under the names that hold data, nothing is',
    reliedOnBy: [
      'packages/server/src/adapters/trust-files/covered-names.ts',
      'packages/server/src/adapters/trust-files/loading-folders.ts',
    ],
    security: true,
    expected: {
      above: ['agent', 'command', 'skill', 'style', 'rule', 'workflow', 'local'],
      here: ['agent', 'command', 'skill', 'style', 'rule', 'workflow', 'settings', 'local'],
      data: [],
    },
    async observe(rig) {
      await rig.write('project/.git/HEAD', 'ref: refs/heads/main\n')
      await rig.write('project/.git/objects/x', '')
      await rig.write('project/.git/refs/x', '')
      await writeEverything(rig, 'project/.claude', 'above')
      await writeEverything(rig, 'project/below/.claude', 'here')
      for (const [at, name] of dataNames.entries())
        await writeEverything(rig, `project/below/.claude/${name}`, `data${at}`)
      const cli = await rig.start({
        sources: everySource,
        settings: { enableAllProjectMcpServers: true },
        cwd: `${rig.cwd}/below`,
        initialize: false,
      })
      const answer = await cli.ask('initialize')
      await cli.turn('go')
      const seen = JSON.stringify([answer, cli.all({ subtype: 'init' }), rig.asked.map(({ body }) => body)])
      const loaded = (prefix: string): string[] =>
        partsOf.filter((part) => rig.has(`${prefix}-${part}`) || seen.includes(`${prefix}-${part}`))
      return {
        above: loaded('above'),
        here: loaded('here'),
        data: dataNames.flatMap((name, at) => loaded(`data${at}`).map((part) => `${name}: ${part}`)),
      }
    },
  },
  {
    id: 'loading/commands',
    title:
      'Of the keys of a project’s settings file that name a command, these run without a terminal; the others do not',
    reliedOnBy: ['packages/server/src/core/trust/settings-commands.ts'],
    expected: {
      ran: [
        ...['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh', 'otelHeadersHelper'],
        ...['proxyAuthHelper', 'fileSuggestion'],
      ],
    },
    async observe(rig) {
      await rig.write('project/.claude/settings.local.json', await everyCommand(rig))
      const { url } = rig.model
      /** A session in this environment, until these have run. */
      const session = async (env: StartOptions['env'], ...wanted: string[]): Promise<void> => {
        const cli = await rig.start({ sources: everySource, env: { ...env, ANTHROPIC_API_KEY: undefined } })
        cli.say('go')
        await cli.ask('file_suggestions', { query: 'a' })
        await rig.poll(() => rig.which(...wanted).length === wanted.length)
      }
      await session(
        {
          CLAUDE_CODE_ENABLE_TELEMETRY: '1',
          DISABLE_TELEMETRY: undefined,
          OTEL_LOGS_EXPORTER: 'otlp',
          OTEL_BLRP_SCHEDULE_DELAY: '100',
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
        },
        ...['apiKeyHelper', 'otelHeadersHelper', 'fileSuggestion'],
      )
      // Nothing listens there: it is enough that a call is prepared.
      const nowhere = 'http://127.0.0.1:9'
      const proxy = { HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere, CLAUDE_CODE_ENABLE_PROXY_AUTH_HELPER: '1' }
      const amazon = { ANTHROPIC_BEDROCK_BASE_URL: url, AWS_REGION: 'us-east-1', ...proxy }
      const ofAmazon = ['awsAuthRefresh', 'awsCredentialExport', 'proxyAuthHelper']
      await session({ CLAUDE_CODE_USE_BEDROCK: '1', ...amazon }, ...ofAmazon)
      const google = {
        ANTHROPIC_VERTEX_BASE_URL: url,
        ANTHROPIC_VERTEX_PROJECT_ID: 'p',
        CLOUD_ML_REGION: 'a',
      }
      await session({ CLAUDE_CODE_USE_VERTEX: '1', ...google }, 'gcpAuthRefresh')
      return { ran: rig.which(...everyKey) }
    },
  },
  {
    id: 'loading/declared',
    title:
      'A plugin’s hooks and servers stand in its usual files and in its manifest, which names files in it or holds them; without a manifest the marketplace’s entry is one, and its hooks stand in place of all others',
    reliedOnBy: [
      'packages/server/src/adapters/hook-files/plugin-hooks.ts',
      'packages/server/src/adapters/mcp-files/read-plugins.ts',
    ],
    expected: {
      hooks: {
        names: ['named', 'usual'],
        holds: ['own', 'usual'],
        listed: ['entry'],
        bare: ['entry'],
        leaves: ['usual'],
      },
      servers: {
        names: ['named', 'usual'],
        holds: ['own', 'usual'],
        listed: ['usual'],
        bare: ['entry', 'usual'],
        leaves: ['usual'],
      },
    },
    async observe(rig) {
      const plugins = await declaringPlugins(rig)
      await rig.write('market/more.json', { hooks: await markedHook(rig, 'leaves-named') })
      await rig.write('.claude/settings.json', (await installPlugins(rig, plugins)).enabled)
      const cli = await rig.start({ sources: 'user' })
      await cli.turn('go')
      const origins = ['entry', 'named', 'own', 'usual']
      const ran = (kind: string): Frame =>
        Object.fromEntries(
          Object.keys(plugins).map((name) => [
            name,
            origins.filter((origin) => rig.has(`${name}-${origin}${kind}`)),
          ]),
        )
      return { hooks: ran(''), servers: ran('-server') }
    },
  },
  {
    id: 'loading/hook-forms',
    title:
      'Of the hooks in a settings file those of another form are left out one by one; where `PreToolUse` is no list, or `hooks` no object, the whole file is',
    reliedOnBy: [
      'packages/server/src/core/hooks/settings-hooks.ts',
      'packages/server/src/core/hooks/hook-entry.ts',
    ],
    expected: {
      listed: [
        ...['UserPromptSubmit command after', 'Stop command plain', 'Stop command words one two'],
        ...['Stop prompt p', 'Stop agent a', 'Stop http http://127.0.0.1:9/', 'Stop mcp_tool s/t'],
        'Stop command matched',
      ],
      variables: '[user][][]',
    },
    async observe(rig) {
      const command = (text: unknown, more: Frame = {}): Frame => ({
        type: 'command',
        command: text,
        ...more,
      })
      const hooks = [
        ...[command('plain'), command('words', { args: ['one', 'two'] }), { type: 'prompt', prompt: 'p' }],
        ...[
          { type: 'agent', prompt: 'a' },
          { type: 'http', url: 'http://127.0.0.1:9/' },
        ],
        { type: 'mcp_tool', server: 's', tool: 't' },
        // None of these counts.
        ...[command(5), command('x', { args: 'text' }), command('x', { timeout: 'text' }), 'text'],
        ...[command('x', { timeout: 0 }), { type: 'another', command: 'x' }, { command: 'x' }],
        ...[{ type: 'prompt' }, { type: 'http' }, { type: 'mcp_tool', server: 's' }],
      ]
      const others = [{ matcher: 5, hooks: [command('x')] }, { hooks: command('x') }, command('x'), 'text']
      await rig.write('.claude/settings.json', {
        env: { FROM_USER: 'user' },
        hooks: {
          Stop: [{ hooks }, ...others, { matcher: '', hooks: [command('matched')] }],
          NoSuchEvent: [{ hooks: [command('x')] }],
          SubagentStop: { hooks: [command('x')] },
          UserPromptSubmit: [{ hooks: [command('after')] }],
        },
      })
      await rig.write('project/.claude/settings.json', {
        env: { FROM_PROJECT: 'project' },
        hooks: { PreToolUse: { hooks: [command('x')] }, Stop: [{ hooks: [command('x')] }] },
      })
      await rig.write('project/.claude/settings.local.json', {
        env: { FROM_LOCAL: 'local' },
        hooks: [{ hooks: [command('x')] }],
      })
      const cli = await rig.start({ sources: everySource, settings: { disableAllHooks: true } })
      const { response } = await cli.ask('get_hooks_listing')
      rig.script(toolUse('Bash', { command: 'echo "[$FROM_USER][$FROM_PROJECT][$FROM_LOCAL]"' }))
      await cli.turn('go')
      return {
        listed: response.hooks.map(
          ({ event, type, commandText }: Frame) => `${event} ${type} ${commandText}`,
        ),
        variables: rig.asked.at(-1)?.toolResults.at(-1)?.text,
      }
    },
  },
  {
    id: 'loading/plugin-marks',
    title:
      'Into the folder of an installed plugin the CLI writes `.in_use`, and `.orphaned_at` where no record names it; nothing else',
    reliedOnBy: ['packages/server/src/adapters/hook-files/plugin-content.ts'],
    expected: { used: ['.claude-plugin', '.in_use'], left: ['.claude-plugin', '.orphaned_at'] },
    async observe(rig) {
      const used = await installPlugins(rig, { p: { manifest: {} } }, 'fetched')
      await rig.write('.claude/plugins/cache/m/p/0.9.0/.claude-plugin/plugin.json', {
        name: 'p',
        version: '0.9.0',
      })
      await rig.write('.claude/settings.json', used.enabled)
      const cli = await rig.start({ sources: 'user' })
      await cli.turn('go')
      const cache = '.claude/plugins/cache/m/p'
      await rig.poll(() => rig.has(`${cache}/1.0.0/.in_use`) && rig.has(`${cache}/0.9.0/.orphaned_at`))
      return { used: await rig.list(`${cache}/1.0.0`), left: await rig.list(`${cache}/0.9.0`) }
    },
  },
]
