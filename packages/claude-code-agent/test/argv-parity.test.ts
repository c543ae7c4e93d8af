/** For each option: the command line, the environment and the `initialize` request, of the official SDK and of ours. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InvalidOptionsError } from '../src/index.ts'
import { type Options, official, ours, type Sdk } from './support/both-sdks.ts'
import { type Launch, recordLaunch } from './support/record-launch.ts'

const id = '3fed43ec-5170-44ee-b476-f97131ba8614'
const other = '0a0a0a0a-5170-44ee-b476-f97131ba8614'
const allow: NonNullable<Options['canUseTool']> = async () => ({ behavior: 'allow' })
const nothing = async () => ({})

const cases: Record<string, Options | ((sdk: Sdk) => Options)> = {
  'no options': {},
  additionalDirectories: { additionalDirectories: ['/a', '-b'] },
  projectConfigRoot: { projectConfigRoot: '/trusted' },
  'agent and agents': { agent: 'x', agents: { x: { description: 'd', prompt: 'p', tools: ['Read'] } } },
  allowedTools: { allowedTools: ['Read', 'Bash(ls:*)'] },
  'allowedTools, empty': { allowedTools: [] },
  disallowedTools: { disallowedTools: ['WebFetch', 'Bash'] },
  tools: { tools: ['Read', 'Bash'] },
  'tools, none': { tools: [] },
  'tools, preset': { tools: { type: 'preset', preset: 'claude_code' } },
  toolAliases: { toolAliases: { Bash: 'mcp__box__bash' } },
  toolConfig: { toolConfig: { askUserQuestion: { previewFormat: 'html' } } },
  allowDangerouslySkipPermissions: { allowDangerouslySkipPermissions: true },
  permissionMode: { permissionMode: 'acceptEdits' },
  'permissionMode, bypass': { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true },
  planModeInstructions: { permissionMode: 'plan', planModeInstructions: 'Plan like this.' },
  canUseTool: { canUseTool: allow },
  permissionPromptToolName: { permissionPromptToolName: 'mcp__gate__ask' },
  permissionPrompts: { permissionPrompts: 'none' },
  'permissionPrompts with a callback': { permissionPrompts: 'none', canUseTool: allow },
  betas: { betas: ['context-1m-2025-08-07'] },
  model: { model: 'claude-sonnet-5', fallbackModel: 'claude-haiku-4-5,claude-opus-4-8' },
  'thinking, adaptive': { thinking: { type: 'adaptive', display: 'summarized' } },
  'thinking, enabled': { thinking: { type: 'enabled', budgetTokens: 2048, display: 'omitted' } },
  'thinking, enabled without a budget': { thinking: { type: 'enabled' } },
  'thinking, disabled': { thinking: { type: 'disabled' } },
  maxThinkingTokens: { maxThinkingTokens: 1000 },
  'maxThinkingTokens, none': { maxThinkingTokens: 0 },
  effort: { effort: 'low' },
  limits: { maxTurns: 3, maxBudgetUsd: 0.5, taskBudget: { total: 9000 } },
  outputFormat: { outputFormat: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
  'systemPrompt, text': { systemPrompt: 'You are terse.' },
  'systemPrompt, blocks': { systemPrompt: ['One', 'Two'] },
  'systemPrompt, custom': { systemPrompt: { type: 'custom', prompt: 'Mine', snapshot: false } },
  'systemPrompt, preset': { systemPrompt: { type: 'preset', preset: 'claude_code' } },
  'systemPrompt, appended': {
    systemPrompt: {
      type: 'preset',
      preset: 'claude_code',
      append: 'Be kind.',
      excludeDynamicSections: true,
      snapshot: true,
    },
  },
  includeHookEvents: { includeHookEvents: true },
  includePartialMessages: { includePartialMessages: true },
  forwardSubagentText: { forwardSubagentText: true },
  promptSuggestions: { promptSuggestions: true, agentProgressSummaries: true },
  'promptSuggestions, off': { promptSuggestions: false, agentProgressSummaries: false },
  perTaskStopAffordance: { perTaskStopAffordance: true },
  title: { title: 'A title' },
  persistSession: { persistSession: false },
  sessionId: { sessionId: id },
  resume: { resume: id },
  'resume, forked': { resume: id, forkSession: true, sessionId: other },
  'resume, cut': { resume: id, resumeSessionAt: other, resumeDropsTurn: other },
  'mcpServers, external': {
    mcpServers: {
      files: { type: 'stdio', command: 'node', args: ['x'], env: { A: '1' } },
      web: { type: 'http', url: 'http://127.0.0.1:1/', headers: { b: '2' } },
      old: { type: 'sse', url: 'http://127.0.0.1:1/sse' },
    },
  },
  'mcpServers, in process': (sdk) => ({
    mcpServers: {
      calc: sdk.createSdkMcpServer({
        name: 'calculator',
        version: '1.2.3',
        instructions: 'Use it.',
        tools: [
          sdk.tool(
            'add',
            'Adds',
            { a: z.number(), note: z.string().optional() },
            async () => ({ content: [] }),
            {
              annotations: { readOnlyHint: true },
            },
          ),
        ],
      }),
    },
  }),
  strictMcpConfig: { strictMcpConfig: true },
  plugins: {
    plugins: [
      { type: 'local', path: '/p' },
      { type: 'local', path: '/q', skipMcpDiscovery: true },
    ],
  },
  pluginDelivery: {
    plugins: [
      { type: 'local', path: '/p' },
      { type: 'local', path: '/q', skipMcpDiscovery: true },
    ],
    pluginDelivery: 'initialize',
  },
  'pluginDelivery without plugins': { pluginDelivery: 'initialize' },
  skills: { skills: ['a', 'b'], allowedTools: ['Read'] },
  'skills, all': { skills: 'all' },
  'skills, none': { skills: [] },
  settings: { settings: { cleanupPeriodDays: 3 } },
  'settings, file': { settings: '/etc/agent/settings.json' },
  'settings, JSON': { settings: '{"cleanupPeriodDays":3}' },
  managedSettings: { managedSettings: { permissions: { deny: ['Bash'] } } },
  settingSources: { settingSources: ['user', 'project'] },
  'settingSources, none': { settingSources: [] },
  sandbox: { sandbox: { enabled: true, autoAllowBashIfSandboxed: true } },
  'sandbox, may be missing': { sandbox: { enabled: true, failIfUnavailable: false } },
  'sandbox over JSON settings': { sandbox: { enabled: true }, settings: '{"cleanupPeriodDays":3}' },
  'sandbox over settings': {
    settings: {
      cleanupPeriodDays: 3,
      sandbox: {
        failIfUnavailable: false,
        excludedCommands: ['docker'],
        filesystem: { disabled: true, denyRead: ['/a', '/b'] },
        network: { httpProxyPort: 1, deniedDomains: ['a.test'], allowLocalBinding: true },
      },
    },
    sandbox: {
      enabled: true,
      excludedCommands: ['git'],
      filesystem: { denyRead: ['/b', '/c'] },
      network: { deniedDomains: ['b.test'] },
    },
  },
  enableFileCheckpointing: { enableFileCheckpointing: true },
  'debug to a file': { debugFile: '/tmp/debug.log' },
  debug: { debug: true },
  extraArgs: { extraArgs: { 'replay-user-messages': null, name: '-dash' } },
  env: { env: { PATH: '/bin', ONLY: 'this', GONE: undefined } },
  'env, entry point': { env: { CLAUDE_CODE_ENTRYPOINT: 'my-app' } },
  cwd: { cwd: '/' },
}

describe('the same launch as the official SDK', () => {
  it.each(Object.entries(cases))('%s', async (_, make) => {
    const [theirs, own] = await Promise.all(
      [official, ours].map(async (sdk) =>
        comparable(await recordLaunch(sdk, typeof make === 'function' ? make(sdk) : make)),
      ),
    )
    expect(own).toEqual(theirs)
  })

  it('verbatimPrompts, for a text and for streamed messages', async () => {
    async function* stream() {
      yield { type: 'user', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null } as const
    }
    for (const prompt of ['@file /clear', stream]) {
      const [theirs, own] = await Promise.all(
        [official, ours].map((sdk) =>
          recordLaunch(sdk, { verbatimPrompts: true }, typeof prompt === 'string' ? prompt : prompt()),
        ),
      )
      expect(theirs?.message).toMatchObject({ client_composed: true })
      expect(own?.message).toMatchObject({ client_composed: true })
    }
    expect((await recordLaunch(ours, {})).message).not.toHaveProperty('client_composed')
  })

  it('hooks: the same declarations, under ids of its own', async () => {
    const hooks: NonNullable<Options['hooks']> = {
      PostToolUse: [{ matcher: 'Bash|Write', timeout: 5, onFailure: 'block', hooks: [nothing] }],
      Stop: [{ hooks: [nothing, nothing] }],
    }
    const theirs = await recordLaunch(official, { hooks })
    const own = await recordLaunch(ours, { hooks })
    const { PreToolUse: _, ...ownHooks } = own.initialize.hooks as Record<string, unknown>
    expect(withoutIds(ownHooks)).toEqual(withoutIds(theirs.initialize.hooks))
  })

  it('gives a custom spawn the same program', async () => {
    const [theirs, own] = await Promise.all([official, ours].map((sdk) => recordLaunch(sdk, {})))
    expect(own?.command).toBe(theirs?.command)
    const script = { pathToClaudeCodeExecutable: '/opt/cli.js', executable: 'node' } as const
    const [theirScript, ownScript] = await Promise.all(
      [official, ours].map((sdk) => recordLaunch(sdk, script)),
    )
    expect(ownScript?.args[0]).toBe('/opt/cli.js')
    expect(theirScript?.args[0]).toBe('/opt/cli.js')
    expect(ownScript?.command).toBe(theirScript?.command)
  })
})

describe('where ours differs on purpose', () => {
  it('names every new session and fork itself, so that the id is known at once', async () => {
    expect((await recordLaunch(official, {})).args.join(' ')).not.toContain('--session-id')
    expect((await recordLaunch(ours, {})).args.join(' ')).toMatch(/--session-id=[0-9a-f-]{36}/)
    expect((await recordLaunch(ours, { resume: id, forkSession: true })).args.join(' ')).toMatch(
      /--session-id=[0-9a-f-]{36}/,
    )
    expect((await recordLaunch(ours, { resume: id })).args.join(' ')).not.toContain('--session-id')
  })

  it('passes every value in one argument with its flag', async () => {
    const options: Options = { settings: '--continue', mcpServers: { a: { type: 'stdio', command: 'x' } } }
    const { args } = await recordLaunch(ours, options)
    expect(args).toContain('--settings=--continue')
    expect(args).not.toContain('--continue')
  })

  it('keeps the time limit of a server itself', async () => {
    const timed = (sdk: Sdk): Options => ({
      mcpServers: { slow: sdk.createSdkMcpServer({ name: 'slow', tools: [], timeout: 5000 }) },
    })
    expect((await recordLaunch(official, timed(official))).initialize).toHaveProperty('sdkMcpServerConfigs')
    expect((await recordLaunch(ours, timed(ours))).initialize).not.toHaveProperty('sdkMcpServerConfigs')
  })

  it('bypassPermissions needs no second option', async () => {
    const { args } = await recordLaunch(ours, { permissionMode: 'bypassPermissions' })
    expect(args).toContain('--allow-dangerously-skip-permissions')
  })

  it('passes on NODE_OPTIONS where it is given, and never what marks a nested Claude Code', async () => {
    const env = { NODE_OPTIONS: '--no-warnings' }
    expect((await recordLaunch(official, { env })).env).not.toHaveProperty('NODE_OPTIONS')
    expect((await recordLaunch(ours, { env })).env).toMatchObject(env)
    process.env.CLAUDECODE = '1'
    try {
      expect((await recordLaunch(official, {})).env).toHaveProperty('CLAUDECODE')
      expect((await recordLaunch(ours, {})).env).not.toHaveProperty('CLAUDECODE')
    } finally {
      delete process.env.CLAUDECODE
    }
  })

  it.each<[string, Options]>([
    ['resume: not a session id', { resume: 'my title' }],
    ['sessionId: not an id', { sessionId: 'mine' }],
    ['forkSession without anything to fork', { forkSession: true }],
    ['sessionId with resume', { resume: id, sessionId: other }],
    ['sessionId with continue', { continue: true, sessionId: other }],
    ['continue and resume', { continue: true, resume: id }],
  ])('refuses %s before anything is started', (_, options) => {
    expect(() => ours.query({ prompt: 'go', options })).toThrow(InvalidOptionsError)
  })
})

it.each<[string, Options]>([
  ['two that answer permission questions', { canUseTool: allow, permissionPromptToolName: 'mcp__a__b' }],
  ['a sandbox over a settings file', { sandbox: { enabled: true }, settings: '/etc/settings.json' }],
])('both refuse %s at once', (_, options) => {
  for (const sdk of [official, ours]) expect(() => sdk.query({ prompt: 'go', options })).toThrow()
})

/** What must be equal, in a form in which order and spelling of flags do not matter. */
function comparable({ args, env, initialize, cwd }: Launch) {
  const { hooks: _, sdkMcpServerManifests, ...rest } = initialize
  return {
    flags: flagsOf(args),
    // Values that are undefined are not set.
    env: JSON.parse(JSON.stringify({ ...env, CLAUDE_AGENT_SDK_VERSION: undefined })),
    initialize: rest,
    servers: sdkMcpServerManifests && comparableManifests(sdkMcpServerManifests),
    cwd: cwd ?? process.cwd(),
  }
}

function flagsOf(args: string[]): [string, unknown][] {
  const flags: [string, unknown][] = []
  for (let index = 0; index < args.length; index++) {
    const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(args[index] ?? '') ?? []
    const next = args[index + 1]
    const apart = value === undefined && next !== undefined && !next.startsWith('--')
    if (apart) index++
    flags.push([name, parsedValue(name, apart ? next : value)])
  }
  // Ours names each new session.
  const chosen = flags.filter(([name, value]) => name !== 'session-id' || value === id || value === other)
  return chosen.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

function parsedValue(name: string, value: string | undefined): unknown {
  if (name === 'mcp-config' || name === 'json-schema' || value?.startsWith('{'))
    return JSON.parse(value ?? '')
  return value
}

/** The same tools with the same arguments; the two sides spell JSON Schema differently. */
function comparableManifests(manifests: unknown) {
  const servers = manifests as Record<
    string,
    { initializeResult: object; toolsListResult: { tools: Tool[] } }
  >
  return Object.entries(servers).map(([name, { initializeResult, toolsListResult }]) => ({
    name,
    initializeResult,
    tools: toolsListResult.tools.map(({ name, description, annotations, inputSchema }) => ({
      name,
      description,
      annotations,
      properties: inputSchema.properties,
      required: inputSchema.required,
    })),
  }))
}

interface Tool {
  name: string
  description: string
  annotations: unknown
  inputSchema: { properties: unknown; required: unknown }
}

function withoutIds(hooks: unknown): unknown {
  return JSON.parse(JSON.stringify(hooks, (key, value) => (key === 'hookCallbackIds' ? value.length : value)))
}
