/** The acceptance criteria of the injection spec, over HTTP, with the real CLI. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PermissionMode } from '@dorkos/shared'
import { reply, toolUse } from '@dorkos/testkit'
import { describe, expect, it, vi } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { useHost } from './support/use-host.ts'

const config = `{
  // The owner wrote this.
  "sessions": { "idleMinutes": 20 /* not too long */ }
}
`

const used = useHost({ config })
const { prompts, start, turn } = used

type Call = [tool: string, input?: Record<string, unknown>]
/** The model calls these tools, one after the other, and then says that it is done. */
const calls = (...all: Call[]) => [
  ...all.map(([name, input]) => reply([toolUse(`mcp__dorkos__${name}`, input)])),
  'done',
]
const run = (mode: PermissionMode, ...all: Call[]) => turn(calls(...all), mode)

const asked = ({ watch }: Conversation) => watch.of('approval_required').map(({ approval }) => approval.tool)

describe('injected tools', () => {
  it('1: ping answers pong with a timestamp; 4: shows as ordinary tool events; 5: default mode asks', async () => {
    const session = await run('default', ['ping'])
    const approval = await session.answer()
    expect(approval).toMatchObject({ tool: 'mcp__dorkos__ping', input: {}, kind: 'tool' })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    const pong = session.result() as { timestamp: string }
    expect(pong).toMatchObject({ status: 'pong', server: 'dorkos' })
    expect(new Date(pong.timestamp).toISOString()).toBe(pong.timestamp)
    const order = ['turn_start', 'tool_call_start', 'tool_call_end', 'approval_required', 'approval_resolved']
    const types = session.watch.events.map(({ type }) => type as string)
    const places = [...order, 'tool_result', 'turn_end'].map((type) => types.indexOf(type))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(session.watch.of('tool_call_start')[0]?.name).toBe('mcp__dorkos__ping')
  })

  it('the model is offered all of them by their names, and learns where it runs', async () => {
    const session = await turn(['hello'])
    await session.endOf(1)
    const request = used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
    const { tools } = await used.host.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ping', 'get_server_info', 'get_session_count', 'set_config', 'get_costs']),
    )
    expect(request?.toolNames.filter((name) => name.startsWith('mcp__')).toSorted()).toEqual(
      tools.map((tool) => tool.full_name).toSorted(),
    )
    expect(request?.system).toContain('You run inside DorkOS')
    expect(request?.system).toContain('mcp__dorkos__list_sessions')
  })

  it('2: get_server_info, with the uptime only when asked', async () => {
    const session = await run(
      'acceptEdits',
      ['get_server_info'],
      ['get_server_info', { include_uptime: true }],
    )
    await session.endOf(1)
    const info = { product: 'DorkOS', port: String(used.host.server.port) }
    expect(session.result(1)).toMatchObject(info)
    expect(session.result(1)).not.toHaveProperty('uptime_seconds')
    expect(session.result(2)).toMatchObject({ ...info, uptime_seconds: expect.any(Number) })
  })

  it('3: get_session_count counts the transcripts of the directory', async () => {
    const session = await turn(['I am one'], 'acceptEdits')
    await session.endOf(1)
    const projects = join(used.host.root, '.claude', 'projects')
    const [folder = ''] = readdirSync(projects)
    const onDisk = () => readdirSync(join(projects, folder)).filter((name) => name.endsWith('.jsonl')).length
    await vi.waitFor(
      async () => expect((await used.host.client.getStatus()).index.transcripts).toBe(onDisk()),
      20_000,
    )
    await session.say(prompts.on('count', toolUse('mcp__dorkos__get_session_count'), 'counted'))
    expect(onDisk()).toBeGreaterThan(0)
    expect(session.result()).toEqual({ count: onDisk(), cwd: used.host.cwd })
  })

  it('5: default mode asks about each of them, and a denial reaches the model', async () => {
    const session = await run('default', ['ping'], ['get_server_info'], ['get_session_count'])
    await session.answer()
    await session.answer({ decision: 'deny', message: 'not today' })
    await session.answer()
    await session.endOf(1)
    expect(asked(session)).toEqual([
      'mcp__dorkos__ping',
      'mcp__dorkos__get_server_info',
      'mcp__dorkos__get_session_count',
    ])
    expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([false, true, false])
    expect(JSON.stringify(session.watch.of('tool_result')[1]?.content)).toContain('not today')
  })

  it.each(['acceptEdits', 'bypassPermissions'] as const)(
    '6: %s runs the three seed tools unasked',
    async (mode) => {
      const session = await run(mode, ['ping'], ['get_server_info'], ['get_session_count'])
      expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
      expect(asked(session)).toEqual([])
      expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([false, false, false])
    },
  )

  it('6: acceptEdits asks about the others', async () => {
    const session = await run('acceptEdits', ['list_sessions'])
    await session.answer()
    await session.endOf(1)
    expect(asked(session)).toEqual(['mcp__dorkos__list_sessions'])
  })

  it('7: a resumed session has the tools again', async () => {
    const session = await start(calls(['ping']), { permission_mode: 'acceptEdits' })
    await session.endOf(1)
    expect(await used.host.client.stopSession({ params: session.params, body: {} })).toMatchObject({
      live: false,
    })
    const again = prompts.on('once more', toolUse('mcp__dorkos__ping'), 'pinged')
    expect(await session.say(again)).toMatchObject({ outcome: 'completed' })
    expect(session.result(2)).toMatchObject({ status: 'pong' })
    const last = used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
    expect(JSON.stringify(last?.messages).match(/"tool_use_id"/g)).toHaveLength(2)
  })
})

describe('the tools of phase 2', () => {
  it('report sessions, settings and costs', async () => {
    const all = calls(
      ['list_sessions', { limit: 100 }],
      ['get_session_details'],
      ['list_active_sessions'],
      ['get_config', { key: 'sessions.idleMinutes' }],
      ['get_costs', { group: 'session' }],
    )
    const session = await start(all, { permission_mode: 'bypassPermissions' })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    const { sessions } = await used.host.client.listSessions({ query: { limit: 200 } })
    const listed = session.result(1) as { sessions: { id: string; current?: true }[] }
    expect(listed.sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(sessions.map(({ id }) => id)))
    expect(listed.sessions.filter(({ current }) => current).map(({ id }) => id)).toEqual([session.id])
    expect(session.result(2)).toMatchObject({
      id: session.id,
      state: 'working',
      permission_mode: 'bypassPermissions',
    })
    expect(session.result(3)).toMatchObject({
      sessions: expect.arrayContaining([expect.objectContaining({ id: session.id, live: true })]),
    })
    expect(session.result(4)).toMatchObject({
      settings: [{ key: 'sessions.idleMinutes', value: 20, writable: true }],
    })
    // Turns of earlier sessions are in the ledger; this one still runs.
    expect(session.result(5)).toMatchObject({ group: 'session', totals: expect.any(Array) })
    const costs = session.result(5) as { totals: { key: string }[] }
    expect(costs.totals.map(({ key }) => key)).not.toContain(session.id)
  })

  it.each(['default', 'acceptEdits', 'dontAsk', 'bypassPermissions'] as const)(
    'set_config asks a person in %s, and changes nothing when denied',
    async (mode) => {
      const session = await run(mode, ['set_config', { key: 'sessions.idleMinutes', value: 5 }])
      expect(await session.answer({ decision: 'deny' })).toMatchObject({ risk: 'admin' })
      await session.endOf(1)
      expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([true])
      expect(readFileSync(join(used.host.home, 'config.jsonc'), 'utf8')).toBe(config)
    },
  )

  it('set_config changes the file once allowed, and keeps its comments', async () => {
    const session = await run('bypassPermissions', ['set_config', { key: 'sessions.idleMinutes', value: 45 }])
    await session.answer()
    await session.endOf(1)
    expect(session.result()).toEqual({ key: 'sessions.idleMinutes', value: 45 })
    const changed = readFileSync(join(used.host.home, 'config.jsonc'), 'utf8')
    expect(changed).toBe(config.replace('20', '45'))
    const { keys } = await used.host.client.getConfig()
    expect(keys.find(({ path }) => path === 'sessions.idleMinutes')).toMatchObject({
      value: 45,
      source: 'file',
    })
    const { entries } = await used.host.client.listAudit({ query: { action: 'config_changed' } })
    expect(entries).toMatchObject([
      {
        principal: 'owner',
        session_id: session.id,
        decided_by: { kind: 'agent', session_id: session.id },
        detail: { set: { 'sessions.idleMinutes': 45 } },
      },
    ])
  })
})
