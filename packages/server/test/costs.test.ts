/** What turns cost, by the real CLI's figures: the ledger, its totals, budgets and rate limits, over HTTP. */
import { costGroups, type LedgerEntry, type SessionSnapshot } from '@dorkos/shared'
import { apiError, reply, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { useHost } from './support/use-host.ts'

// 200 and 1000 USD: the limits of the tests are to be the first ones reached.
const used = useHost({ config: { sessions: { budgetUsd: 200 }, budgets: { dayUsd: 1000 } } })
const { start, prompts, follow } = used

/** What every answer of the model is said to have used: the CLI's own prices make it the same sum each time. */
const usage = {
  input_tokens: 100_000,
  output_tokens: 5000,
  cache_creation_input_tokens: 1000,
  cache_read_input_tokens: 2000,
}
const say = (words: string) => reply([text(words)], { usage })
/** A command that the CLI runs by itself, so that one more call of the model follows. */
const step = (name: string) => reply([toolUse('Bash', { command: `echo ${name}` })], { usage })
const tokens = (calls: number) => ({
  input: 100_000 * calls,
  output: 5000 * calls,
  cache_read: 2000 * calls,
  cache_write: 1000 * calls,
})

const entriesOf = async (sessionId?: string): Promise<LedgerEntry[]> =>
  (await used.host.client.listLedger(sessionId ? { query: { session_id: sessionId } } : {})).entries
const callsOf = (session: Conversation) =>
  used.host.model.requests.filter(({ kind, sessionId }) => kind === 'main' && sessionId === session.id).length

/** What is published of the costs once the turn is over. */
const updateOf = (session: Conversation, end: { turn_id: string }) =>
  session.watch.next('cost_update', ({ turn_id }) => turn_id === end.turn_id)

async function snapshotOf(id: string): Promise<SessionSnapshot> {
  const abort = new AbortController()
  try {
    for await (const frame of used.host.client.followSession(id, { signal: abort.signal }))
      if (frame.frame === 'snapshot') return frame.snapshot
  } finally {
    abort.abort()
  }
  throw new Error('no snapshot came')
}

/** One call of the model in a session of its own: what it costs. */
async function costOfOneCall(): Promise<number> {
  const session = await start([say('one')])
  await session.endOf(1)
  const [entry] = await entriesOf(session.id)
  return entry?.usd ?? 0
}

describe('the ledger', () => {
  it('adds up over three turns, a resume and a fork', async () => {
    const { client } = used.host
    const session = await start([say('one')])
    const { usd: perCall = 0 } = await session.endOf(1)
    expect(perCall).toBeGreaterThan(0.1)
    // Two calls cost twice as much; a turn's cost is its own, though the CLI counts on.
    const second = await session.say(prompts.on('two', step('x'), say('two')))
    expect(second).toMatchObject({ usd: expect.closeTo(2 * perCall, 9), tokens: tokens(2), num_turns: 2 })
    await session.say(prompts.on('three', say('three')))
    await client.stopSession({ params: session.params, body: {} })
    const resumed = await session.say(prompts.on('four', say('four')))
    expect(resumed).toMatchObject({ outcome: 'completed', usd: expect.closeTo(perCall, 9) })
    const fork = follow((await client.forkSession({ params: session.params, body: {} })).id)
    const forked = await fork.say(prompts.on('five', say('five')))
    expect(forked).toMatchObject({ outcome: 'completed', usd: expect.closeTo(perCall, 9) })

    const [workspace] = (await client.listWorkspaces()).workspaces
    const rows = (await entriesOf(session.id)).toReversed()
    expect(rows.map(({ usd }) => usd / perCall)).toEqual([1, 2, 1, 1].map((part) => expect.closeTo(part, 9)))
    expect(rows[1]).toMatchObject({
      session_id: session.id,
      turn_id: second.turn_id,
      workspace_id: workspace?.id,
      principal: 'owner',
      model: expect.stringContaining('claude'),
      tokens: tokens(2),
      demo: false,
    })
    expect(rows.every(({ duration_ms }) => duration_ms > 0)).toBe(true)
    expect((await entriesOf(fork.id)).map(({ usd }) => usd)).toEqual([expect.closeTo(perCall, 9)])
    expect(await session.session()).toMatchObject({ cost_usd: expect.closeTo(5 * perCall, 9) })
    expect(await updateOf(session, resumed)).toMatchObject({
      turn_usd: expect.closeTo(perCall, 9),
      session_usd: expect.closeTo(5 * perCall, 9),
      demo: false,
    })
  })

  it('has the same total by session, day, workspace and model', async () => {
    const { client } = used.host
    const rows = await entriesOf()
    const usd = expect.closeTo(
      rows.reduce((sum, row) => sum + row.usd, 0),
      9,
    )
    for (const group of costGroups) {
      const { totals, total } = await client.getCosts({ query: { group } })
      expect(total).toMatchObject({ usd, turns: rows.length })
      expect(totals.reduce((sum, part) => sum + part.usd, 0)).toEqual(usd)
      expect(totals.reduce((sum, part) => sum + part.tokens.input, 0)).toBe(total.tokens.input)
      const keys: Record<typeof group, (row: LedgerEntry) => string> = {
        session: (row) => row.session_id,
        day: (row) => row.time.slice(0, 10),
        workspace: (row) => row.workspace_id ?? '',
        model: (row) => row.model,
      }
      expect(totals.map(({ key }) => key).toSorted()).toEqual([...new Set(rows.map(keys[group]))].toSorted())
    }
    const none = await client.getCosts({ query: { to: '2020-01-01T00:00:00.000Z' } })
    expect(none.total).toMatchObject({ usd: 0, turns: 0 })
  })
})

describe('a budget', () => {
  const steps = () => [step('a'), step('b'), step('c'), step('d'), say('done')]

  it('of a session warns at 80 %, stops the next call at 100 %, and lets go on once it is raised', async () => {
    const perCall = await costOfOneCall()
    const { client } = used.host
    const limit = 2.4 * perCall
    const session = await start(steps(), { budget_usd: limit })
    const end = await session.endOf(1)
    expect(end).toMatchObject({
      outcome: 'budget',
      reason: expect.stringMatching(
        /^This session’s budget is used up: .*\. To continue, raise the session’s budget/,
      ),
      reason_code: 'session_budget',
      usd: expect.closeTo(3 * perCall, 9),
    })
    // The third call took it over the limit; a fourth never reached the model.
    expect(callsOf(session)).toBe(3)
    await updateOf(session, end)
    const budgets = session.watch.of('cost_update').flatMap(({ budget }) => budget ?? [])
    expect(budgets[0]).toMatchObject({ kind: 'session', reached: false, used: expect.closeTo(2 / 2.4, 6) })
    expect(budgets.at(-1)).toMatchObject({ reached: true, used: expect.closeTo(3 / 2.4, 6) })
    const listed = (await client.listBudgets()).budgets.find(({ session_id }) => session_id === session.id)
    expect(listed).toMatchObject({
      kind: 'session',
      state: 'reached',
      used_usd: expect.closeTo(3 * perCall, 9),
    })

    // Said once, by the turn's end, and not as words of the agent: neither live nor afterwards.
    const { events } = await client.getHistory({ params: session.params })
    expect(events.filter(({ type }) => type === 'turn_end')).toMatchObject([{ outcome: 'budget' }])
    expect([...events, ...session.watch.events].filter(({ type }) => type === 'text_delta')).toEqual([])
    expect((await snapshotOf(session.id)).cost).toMatchObject({
      session_usd: expect.closeTo(3 * perCall, 9),
      budget: { kind: 'session', reached: true },
    })

    expect(await session.say(prompts.on('more', say('never')))).toMatchObject({ outcome: 'budget' })
    expect(callsOf(session)).toBe(3)
    await client.changeSession({ params: session.params, body: { budget_usd: 10 * perCall } })
    await session.watch.next('cost_update', ({ budget }) => budget === undefined)
    expect((await snapshotOf(session.id)).cost).not.toHaveProperty('budget')
    expect(await session.say(prompts.on('and now', say('thanks')))).toMatchObject({ outcome: 'completed' })
    expect(callsOf(session)).toBe(4)
    // Its own one taken away, the configured one holds again.
    await client.changeSession({ params: session.params, body: { budget_usd: null } })
    expect(await session.session()).not.toHaveProperty('budget_usd')
  })

  it('of the day does the same to every session', async () => {
    const perCall = await costOfOneCall()
    const { client } = used.host
    const { total } = await client.getCosts()
    await client.changeConfig({ body: { set: { 'budgets.dayUsd': total.usd + 2.4 * perCall } } })
    const session = await start(steps())
    expect(await session.endOf(1)).toMatchObject({
      outcome: 'budget',
      reason: expect.stringMatching(/^Today’s budget is used up: .*raise the daily budget/),
      reason_code: 'day_budget',
    })
    expect(callsOf(session)).toBe(3)
    const other = await start([say('never')])
    expect(await other.endOf(1)).toMatchObject({ outcome: 'budget' })
    expect(callsOf(other)).toBe(0)
    await client.changeConfig({ body: { set: { 'budgets.dayUsd': 1000 } } })
    expect(await other.say(prompts.on('now', say('thanks')))).toMatchObject({ outcome: 'completed' })
  })
})

describe('a limit of the model’s', () => {
  it('is published as it comes, and the turn goes on', async () => {
    const headers = { 'anthropic-ratelimit-requests-remaining': '0' }
    const session = await start([apiError(429, 'Slow down', { retryAfter: 1, headers }), say('done')])
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.of('rate_limit')).toMatchObject([
      { status: 'rejected', resets_at: expect.any(String), detail: expect.any(Object) },
    ])
    expect(JSON.stringify(session.watch.of('rate_limit')[0]?.detail)).toContain('requests')
    expect(session.watch.of('api_retry')).toMatchObject([{ attempt: 1, status: 429 }])
  })
})
