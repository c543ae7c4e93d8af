import { endpoints, say } from '@dorkos/shared'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import { id, makeDeps, serverDeps, session } from '../../../test/support/tool-deps.ts'
import type { LiveConfig } from '../../config/config-service.ts'
import { ownerPrincipal, serverActor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { alwaysAskTools, proposingTools } from '../permissions/tool-names.ts'
import type { TranscriptReader } from '../ports/transcripts.ts'
import type { CostService, SessionService } from '../services.ts'
import { createProposeCommitHandler } from './commit-tools.ts'
import { createGetConfigHandler, createSetConfigHandler } from './config-tools.ts'
import { createGetCostsHandler } from './cost-tools.ts'
import type { McpToolDeps, ServerToolDeps } from './mcp-tool-deps.ts'
import { createGetServerInfoHandler, handleGetServerInfo, handlePing } from './server-tools.ts'
import {
  createGetSessionCountHandler,
  createGetSessionDetailsHandler,
  createListActiveSessionsHandler,
  createListSessionsHandler,
} from './session-tools.ts'
import { dorkosSystemPrompt } from './system-prompt.ts'
import type { ToolAnswer } from './tool-answer.ts'
import {
  type DorkOsToolName,
  dorkosToolInfo,
  fullToolName,
  seedToolNames,
  toolDefinitions,
} from './tool-definitions.ts'

const parse = ({ content }: ToolAnswer) => JSON.parse(content[0].text)

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
    deps.costs.report.mockRejectedValue(
      new AppError('unavailable', say('cli_words', { text: 'The database is busy.' })),
    )
    expect(await createGetCostsHandler(deps)({})).toMatchObject({ isError: true })
  })
})

it('needs what the services of the server are', () => {
  expectTypeOf<SessionService>().toExtend<ServerToolDeps['sessions']>()
  expectTypeOf<CostService>().toExtend<ServerToolDeps['costs']>()
  expectTypeOf<LiveConfig>().toExtend<ServerToolDeps['config']>()
  expectTypeOf<TranscriptReader>().toExtend<McpToolDeps['transcriptReader']>()
})

describe('what is said about the tools', () => {
  it('fits the API, and names what is read-only and what is always asked about', () => {
    const info = endpoints.listTools.response.parse(dorkosToolInfo())
    expect(info.tools.map((tool) => tool.full_name)).toEqual(
      Object.keys(toolDefinitions).map((name) => `mcp__dorkos__${name}`),
    )
    const notReadOnly = (Object.keys(toolDefinitions) as DorkOsToolName[]).filter(
      (name) => !toolDefinitions[name].annotations.readOnlyHint,
    )
    expect(notReadOnly.map(fullToolName)).toEqual([...alwaysAskTools, ...proposingTools])
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

describe('propose_commit_message', () => {
  it('keeps the message for the session that calls, and for no other', async () => {
    const deps = serverDeps()
    const sessionId = id(1)
    deps.visibilityOf = async () => ({
      actor: { ...owner(), via: { kind: 'agent', sessionId } },
      kind: 'session',
      sessionId,
    })
    const handle = createProposeCommitHandler(deps)
    expect(parse(await handle({ message: 'feat: x' }, { sessionId: 'cli-id' }))).toEqual({ proposed: true })
    expect(deps.proposeCommit).toHaveBeenCalledWith(sessionId, 'feat: x')
    expect(await handle({ message: 'feat: x' })).toMatchObject({ isError: true })
    expect(deps.proposeCommit).toHaveBeenCalledTimes(1)
  })
})
