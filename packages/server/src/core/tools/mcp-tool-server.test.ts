import { endpoints, type Session } from '@dorkos/shared'
import { realCliPath, startOffline, toolUse } from '@dorkos/testkit'
import { query } from 'claude-code-agent'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import type { LiveConfig } from '../../config/config-service.ts'
import { type Actor, ownerPrincipal, serverActor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { TranscriptReader } from '../ports/transcripts.ts'
import type { CostService, SessionService } from '../services.ts'
import { createGetConfigHandler, createSetConfigHandler } from './config-tools.ts'
import { createGetCostsHandler } from './cost-tools.ts'
import type { McpToolDeps, ServerToolDeps } from './mcp-tool-deps.ts'
import { createDorkOsToolServer } from './mcp-tool-server.ts'
import { createGetServerInfoHandler, handleGetServerInfo, handlePing } from './server-tools.ts'
import {
  createGetSessionCountHandler,
  createGetSessionDetailsHandler,
  createListActiveSessionsHandler,
  createListSessionsHandler,
} from './session-tools.ts'
import { dorkosSystemPrompt } from './system-prompt.ts'
import type { Told } from './told.ts'
import type { ToolAnswer } from './tool-answer.ts'
import {
  alwaysAskTools,
  type DorkOsToolName,
  dorkosToolInfo,
  fullToolName,
  seedToolNames,
  toolDefinitions,
} from './tool-definitions.ts'

const parse = ({ content }: ToolAnswer) => JSON.parse(content[0].text)
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function session(number: number, more: Partial<Session> = {}): Session {
  return {
    id: id(number),
    title: `Session ${number}`,
    first_prompt: 'what was said',
    cwd: '/projects',
    origin: 'dorkos',
    state: 'idle',
    live: number < 3,
    permission_mode: 'default',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    archived: false,
    pinned: false,
    unattended: false,
    demo: false,
    cli_session_ids: ['a'],
    pending_approvals: 0,
    queued_messages: 0,
    ...more,
  }
}

const tokens = { input: 1, output: 2, cache_read: 3, cache_write: 4 }

function serverDeps(sessions = Array.from({ length: 150 }, (_, index) => session(index))) {
  const settings = new Map<string, unknown>([['sessions.idleMinutes', 30]])
  const describeKey = (key: string) => ({
    key,
    value: settings.get(key),
    writable: true,
    description: 'd',
    expects: 'e',
  })
  return {
    toldTo: async (): Promise<Told> => ({ actor: owner(), kind: 'all' }),
    sessions: {
      list: vi.fn(async (_actor: Actor, { limit, live }: { limit: number; live?: boolean }) => ({
        sessions: sessions.filter((one) => !live || one.live).slice(0, limit),
      })),
      async get(_actor: Actor, wanted: string) {
        const found = sessions.find((one) => one.id === wanted)
        if (!found) throw new AppError('not_found', `There is no session ${wanted}.`)
        return found
      },
    },
    config: {
      agentKeys: () => [...settings.keys()].map(describeKey),
      async changeFromAgent(key: string, value: unknown) {
        if (!settings.has(key)) throw new AppError('forbidden', `${key} cannot be changed by an agent.`)
        settings.set(key, value)
        return describeKey(key)
      },
    },
    costs: {
      report: vi.fn(async () => ({
        totals: ['2026-01-01', '2026-01-03', '2026-01-02'].map((key, index) => ({
          key,
          usd: index,
          tokens,
          turns: 1,
        })),
        total: { usd: 3, tokens, turns: 3 },
      })),
    },
    serverInfo: () => ({ port: 5151, version: '9.9.9' }),
    now: () => Date.parse('2026-02-01T00:00:00Z'),
  } satisfies ServerToolDeps
}

function makeDeps() {
  return {
    transcriptReader: { listSessions: vi.fn(async (_cwd: string): Promise<unknown[]> => [1, 2, 3]) },
    defaultCwd: '/test/cwd',
    server: serverDeps(),
  } satisfies McpToolDeps
}

describe('the tools of the injection spec', () => {
  it('ping answers pong with a valid time', async () => {
    const pong = parse(await handlePing())
    expect(pong).toEqual({ status: 'pong', timestamp: expect.any(String), server: 'dorkos' })
    expect(new Date(pong.timestamp).toISOString()).toBe(pong.timestamp)
  })

  it('get_server_info has the uptime only when asked, and the environment’s port', async () => {
    vi.stubEnv('DORKOS_PORT', undefined)
    vi.stubEnv('DORKOS_VERSION', undefined)
    expect(parse(await handleGetServerInfo({}))).toEqual({
      product: 'DorkOS',
      port: '4242',
      version: 'development',
    })
    vi.stubEnv('DORKOS_PORT', '9999')
    vi.stubEnv('DORKOS_VERSION', '1.2.3')
    expect(parse(await handleGetServerInfo({}))).toEqual({
      product: 'DorkOS',
      port: '9999',
      version: '1.2.3',
    })
    const { uptime_seconds } = parse(await handleGetServerInfo({ include_uptime: true }))
    expect(uptime_seconds).toBeGreaterThanOrEqual(0)
    vi.unstubAllEnvs()
  })

  it('get_server_info has the port that is bound', async () => {
    vi.stubEnv('DORKOS_PORT', '9999')
    expect(parse(await createGetServerInfoHandler(serverDeps())({}))).toMatchObject({
      port: '5151',
      version: '9.9.9',
    })
    vi.unstubAllEnvs()
  })

  it('get_session_count counts, and turns a failure into an error result', async () => {
    const deps = makeDeps()
    expect(parse(await createGetSessionCountHandler(deps)())).toEqual({ count: 3, cwd: '/test/cwd' })
    expect(deps.transcriptReader.listSessions).toHaveBeenCalledWith('/test/cwd')
    deps.transcriptReader.listSessions.mockResolvedValue([])
    expect(parse(await createGetSessionCountHandler(deps)()).count).toBe(0)
    deps.transcriptReader.listSessions.mockRejectedValue(new Error('ENOENT'))
    const failed = await createGetSessionCountHandler(deps)()
    expect(failed.isError).toBe(true)
    expect(parse(failed).error).toContain('ENOENT')
    deps.transcriptReader.listSessions.mockRejectedValue('no error at all')
    expect(parse(await createGetSessionCountHandler(deps)())).toEqual({ error: 'Failed to list sessions' })
  })
})

describe('sessions', () => {
  it('are listed within bounds, never with what was said', async () => {
    const deps = serverDeps()
    const list = createListSessionsHandler(deps)
    const standard = await list({}, { sessionId: id(1) })
    expect(standard.content[0].text).not.toContain('what was said')
    expect(parse(standard)).toMatchObject({
      has_more: true,
      sessions: { length: 20, 0: { id: id(0) }, 1: { current: true } },
    })
    expect(deps.sessions.list).toHaveBeenCalledWith(owner(), { limit: 21, archived: false })
    expect(parse(await list({ limit: 100_000, archived: true })).sessions).toHaveLength(100)
    expect(deps.sessions.list).toHaveBeenLastCalledWith(serverActor(ownerPrincipal, ['read']), {
      limit: 101,
      archived: true,
    })
    expect(parse(await list({ limit: Number.NaN })).sessions).toHaveLength(20)
    expect(parse(await createListSessionsHandler(serverDeps([]))({}))).toEqual({
      sessions: [],
      has_more: false,
    })
  })

  it('have details, one’s own where no id is given', async () => {
    const details = createGetSessionDetailsHandler(
      serverDeps([session(1, { branch: 'main', budget_usd: 2 })]),
    )
    const found = await details({ session_id: id(1) })
    expect(parse(found)).toMatchObject({ id: id(1), branch: 'main', budget_usd: 2, queued_messages: 0 })
    expect(found.content[0].text).not.toContain('what was said')
    expect(parse(await details({}, { sessionId: id(1) }))).toMatchObject({ current: true })
    expect(await details({ session_id: id(2) })).toMatchObject({ isError: true })
    expect(parse(await details({}))).toEqual({ error: 'Name a session_id; list_sessions gives them.' })
  })

  it('are listed as active while their process runs', async () => {
    const active = parse(await createListActiveSessionsHandler(serverDeps())({ limit: 2 }))
    expect(active).toMatchObject({ count: 3, sessions: { length: 2 } })
  })

  it('cannot smuggle long or hidden text in their titles', async () => {
    const title = `\u202eevil\u001b[2J\n${'x'.repeat(1000)}`
    const { sessions } = parse(await createListSessionsHandler(serverDeps([session(1, { title })]))({}))
    expect(sessions[0].title).toMatch(/^evil \[2J x{150,200}…$/)
  })
})

describe('settings and costs', () => {
  it('reads and changes named keys only', async () => {
    const deps = serverDeps()
    const get = createGetConfigHandler(deps)
    expect(parse(await get({}))).toMatchObject({ settings: [{ key: 'sessions.idleMinutes', value: 30 }] })
    expect(parse(await get({ key: 'rules' })).error).toContain('these are: sessions.idleMinutes')
    expect(parse(await createSetConfigHandler(deps)({ key: 'sessions.idleMinutes', value: 5 }))).toEqual({
      key: 'sessions.idleMinutes',
      value: 5,
    })
    expect(await createSetConfigHandler(deps)({ key: 'rules', value: 'x' })).toMatchObject({ isError: true })
    expect(parse(await get({ key: 'sessions.idleMinutes' })).settings[0].value).toBe(5)
  })

  it('adds up costs, the newest day first', async () => {
    const deps = serverDeps()
    const costs = parse(await createGetCostsHandler(deps)({ days: 31, limit: 2 }))
    expect(costs).toMatchObject({ from: '2026-01-01T00:00:00.000Z', total: { usd: 3 }, has_more: true })
    expect(costs.totals.map((one: { key: string }) => one.key)).toEqual(['2026-01-03', '2026-01-02'])
    deps.costs.report.mockRejectedValue(new AppError('unavailable', 'The database is busy.'))
    expect(await createGetCostsHandler(deps)({})).toMatchObject({ isError: true })
  })
})

it('needs what the services of the server are', () => {
  expectTypeOf<SessionService>().toExtend<ServerToolDeps['sessions']>()
  expectTypeOf<CostService>().toExtend<ServerToolDeps['costs']>()
  expectTypeOf<LiveConfig>().toExtend<ServerToolDeps['config']>()
  expectTypeOf<TranscriptReader>().toExtend<McpToolDeps['transcriptReader']>()
})

describe('what is told about the tools', () => {
  it('fits the API, and names what is read-only and what is always asked about', () => {
    const info = endpoints.listTools.response.parse(dorkosToolInfo())
    expect(info.tools.map((tool) => tool.full_name)).toEqual(
      Object.keys(toolDefinitions).map((name) => `mcp__dorkos__${name}`),
    )
    const notReadOnly = (Object.keys(toolDefinitions) as DorkOsToolName[]).filter(
      (name) => !toolDefinitions[name].annotations.readOnlyHint,
    )
    expect(notReadOnly.map(fullToolName)).toEqual(alwaysAskTools)
    expect(seedToolNames).toEqual([
      'mcp__dorkos__ping',
      'mcp__dorkos__get_server_info',
      'mcp__dorkos__get_session_count',
    ])
  })

  it('says of each what it does, when to use it, and what it returns', () => {
    for (const { description } of Object.values(toolDefinitions)) {
      expect(description).toMatch(/Use it /)
      expect(description).toMatch(/Returns /)
      expect(description.length).toBeLessThan(500)
    }
  })

  it('is in the system prompt for every tool', () => {
    for (const { full_name } of dorkosToolInfo().tools) expect(dorkosSystemPrompt()).toContain(full_name)
    expect(dorkosSystemPrompt({ unattended: true })).toContain('Nobody watches')
  })
})

describe('in the real CLI', () => {
  it('every tool is offered, asked about in default mode, run, and knows its session', async () => {
    const calls = [
      ['ping', {}],
      ['get_server_info', { include_uptime: true }],
      ['get_session_count', {}],
      ['list_sessions', { limit: 2 }],
      ['get_session_details', {}],
      ['list_active_sessions', {}],
      ['get_config', {}],
      ['set_config', { key: 'sessions.idleMinutes', value: 7 }],
      ['get_costs', { group: 'model' }],
    ] as const
    await using offline = await startOffline(
      [...calls.map(([name, input]) => toolUse(fullToolName(name), input)), 'Done.'],
      {
        // With tool search on, they must be there all the same.
        toolSearch: true,
      },
    )
    const sessionId = id(7)
    const asked: string[] = []
    const running = query({
      prompt: 'Use all tools',
      options: {
        pathToClaudeCodeExecutable: realCliPath(),
        env: offline.env,
        cwd: offline.cwd,
        settingSources: [],
        sessionId,
        permissionMode: 'default',
        mcpServers: { dorkos: createDorkOsToolServer(makeDeps()) },
        async canUseTool(name, input) {
          asked.push(name)
          return { behavior: 'allow', updatedInput: input }
        },
      },
    })
    for await (const message of running)
      if (message.type === 'result') expect(message).toMatchObject({ is_error: false })
    expect(offline.model.problems).toEqual([])
    expect(asked).toEqual(calls.map(([name]) => fullToolName(name)))
    const results = offline.model.requests
      .slice(1)
      .map((request) => JSON.parse(request.toolResults.at(-1)?.text ?? 'null'))
    expect(results).toMatchObject([
      { status: 'pong' },
      { product: 'DorkOS', port: '5151', uptime_seconds: expect.any(Number) },
      { count: 3 },
      { sessions: { length: 2 }, has_more: true },
      { id: sessionId, current: true },
      { count: 3 },
      { settings: [{ value: 30 }] },
      { value: 7 },
      { group: 'model' },
    ])
    const offered = (offline.model.requests[0]?.tools ?? []).filter((tool) => !('defer_loading' in tool))
    const names = offered.map((tool) => tool.name)
    expect(names).toEqual(expect.arrayContaining(calls.map(([name]) => fullToolName(name))))
  })
})
