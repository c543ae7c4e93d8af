/** Sessions as things that are kept: named, put away, pinned, deleted; and what a live one can say of itself. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointBody } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Prompts } from './support/prompts.ts'
import { type Host, startHost } from './support/start-host.ts'

const prompts = new Prompts()
let host: Host
let session: Conversation
beforeAll(async () => {
  host = await startHost(prompts.script, { config: { sessions: { prewarm: false } } })
})
afterEach(() => session?.close())
afterAll(() => host?.close())

async function start(body: EndpointBody<'createSession'>): Promise<Conversation> {
  session = await Conversation.open(host, body)
  return session
}

const change = (body: EndpointBody<'changeSession'>) =>
  host.client.changeSession({ params: session.params, body })
const listed = async (query: { archived?: 'true' } = {}) => {
  const { sessions } = await host.client.listSessions({ query })
  return sessions.map(({ id }) => id)
}
const lastMessages = (cliId: string | undefined) => {
  const last = host.model.requests.findLast(({ sessionId, kind }) => sessionId === cliId && kind === 'main')
  return JSON.stringify(last?.messages)
}
const found = async (q: string) => {
  const { hits } = await host.client.searchSessions({ query: { q } })
  return hits.some(({ session_id }) => session_id === session.id)
}
const transcript = (id: string) => {
  const projects = join(host.root, '.claude', 'projects')
  const folder = readdirSync(projects)[0] ?? ''
  return join(projects, folder, `${id}.jsonl`)
}

describe('a session', () => {
  it('is made without a process when nothing is said and nothing is prewarmed', async () => {
    await start({ title: 'quiet' })
    expect(await session.session()).toMatchObject({ live: false, title: 'quiet', state: 'idle' })
    expect(await listed()).toContain(session.id)
    for (const ask of [host.client.getCapabilities, host.client.getContextUsage])
      await expect(ask({ params: session.params })).rejects.toMatchObject({ code: 'conflict' })
    expect(await host.client.startSession({ params: session.params, body: {} })).toMatchObject({ live: true })
  })

  it('keeps the name that a person gives it, live or not, and the CLI knows it too', async () => {
    await start({ content: prompts.on('hello', 'hi') })
    await session.endOf(1)
    expect(await change({ title: 'named while it lived' })).toMatchObject({ title: 'named while it lived' })
    await host.client.stopSession({ params: session.params, body: {} })
    expect(await session.session()).toMatchObject({ live: false, title: 'named while it lived' })
    expect(await change({ title: 'named later' })).toMatchObject({ title: 'named later' })
    await session.say(prompts.on('still there?', 'yes'))
    await host.client.stopSession({ params: session.params, body: {} })
    expect(await session.session()).toMatchObject({ title: 'named later' })
    const { readFileSync } = await import('node:fs')
    const names = readFileSync(transcript(session.id), 'utf8').match(/"customTitle":"[^"]*"/g)
    expect(names?.at(-1)).toBe('"customTitle":"named later"')
  })

  it('can be put away and pinned', async () => {
    await start({ content: prompts.on('archive me', 'fine') })
    await session.endOf(1)
    expect(await change({ pinned: true })).toMatchObject({ pinned: true, live: true })
    expect(await change({ archived: true })).toMatchObject({ archived: true, live: false })
    expect(await listed()).not.toContain(session.id)
    expect(await listed({ archived: 'true' })).toContain(session.id)
    expect(await change({ archived: false, pinned: false })).toMatchObject({ archived: false, pinned: false })
    expect(await listed()).toContain(session.id)
  })

  it('is gone after its deletion, and the audit log says who did it', async () => {
    await start({ content: prompts.on('delete me', 'as you wish') })
    await session.endOf(1)
    const file = transcript(session.id)
    expect(existsSync(file)).toBe(true)
    await host.client.deleteSession({ params: session.params })
    expect(existsSync(file)).toBe(false)
    const missing = { code: 'not_found', status: 404 }
    await expect(session.session()).rejects.toMatchObject(missing)
    await expect(session.send('anybody?')).rejects.toMatchObject(missing)
    await expect(host.client.getHistory({ params: session.params })).rejects.toMatchObject(missing)
    expect(await listed()).not.toContain(session.id)
    const { entries } = await host.client.listAudit({ query: { session_id: session.id } })
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['session_created', 'session_deleted']),
    )
    const { entries: rows } = await host.client.listLedger({ query: { session_id: session.id } })
    expect(rows).toHaveLength(1)
  })

  it('reports what it can do and how full it is', async () => {
    await start({ content: prompts.on('show me', 'here I am') })
    await session.endOf(1)
    const { commands, models, agents, mcp_servers } = await host.client.getCapabilities({
      params: session.params,
    })
    for (const list of [commands, models, agents]) expect(list.length).toBeGreaterThan(0)
    expect(mcp_servers).toEqual([expect.objectContaining({ name: 'dorkos', status: 'connected' })])
    expect(await host.client.getContextUsage({ params: session.params })).toMatchObject({
      totalTokens: expect.any(Number),
    })
    expect(session.watch.of('mcp_status').at(-1)?.servers).toMatchObject([
      { name: 'dorkos', status: 'connected' },
    ])
  })

  it('stays one session when the CLI begins anew within it', async () => {
    await start({ content: prompts.on('before the clearing', 'old') })
    await session.endOf(1)
    await session.say('/clear')
    await session.say(prompts.on('after it', 'new'))
    const { cli_session_ids: ids } = await session.session()
    expect(ids).toEqual([session.id, expect.not.stringMatching(session.id)])
    expect(lastMessages(ids[1])).not.toContain('before the clearing')
    await host.client.stopSession({ params: session.params, body: {} })
    await session.say(prompts.on('and after a restart', 'newer'))
    expect(lastMessages(ids[1])).toMatch(/after it.*and after a restart/)
    expect(await session.session()).toMatchObject({ cli_session_ids: ids })
    await vi.waitFor(async () => expect(await found('newer')).toBe(true), { timeout: 50_000 })
    expect((await listed()).filter((id) => ids.includes(id))).toEqual([session.id])
    const { events } = await host.client.getHistory({ params: session.params })
    expect(JSON.stringify(events)).toContain('after it')
  })

  it('shows what the agent plans and whom it sends', async () => {
    const todos = [{ content: 'Look', status: 'in_progress', activeForm: 'Looking' }]
    const agent = { description: 'look', prompt: 'look around', subagent_type: 'general-purpose' }
    prompts.on('look around', 'nothing there')
    const answers = [todoTool(todos), toolUse('Agent', agent), 'all done'] as const
    await start({ content: prompts.on('plan and send', ...answers), permission_mode: 'bypassPermissions' })
    await session.endOf(1)
    expect(session.watch.of('todo_update').at(-1)?.todos).toMatchObject([{ content: 'Look' }])
    const [begun] = session.watch.of('subagent_start')
    // The CLI may say so only after the turn in which it ended.
    const ended = await session.watch.next('subagent_end')
    expect(begun).toMatchObject({ agent: 'general-purpose', description: 'look' })
    expect(ended).toMatchObject({ tool_call_id: begun?.tool_call_id, status: 'completed' })
    const nested = session.watch.of('text_delta').filter(({ parent }) => parent === begun?.tool_call_id)
    expect(nested.map(({ text }) => text).join('')).toBe('nothing there')
  })
})

/** Whichever of its two tools for lists the agent has. */
function todoTool(todos: { content: string; status: string; activeForm: string }[]) {
  const [{ content: subject, activeForm } = { content: '', activeForm: '' }] = todos
  return ({ toolNames }: { toolNames: string[] }) =>
    toolNames.includes('TodoWrite')
      ? toolUse('TodoWrite', { todos })
      : toolUse('TaskCreate', { subject, description: subject, activeForm })
}
