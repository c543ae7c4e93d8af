/** What happened around a conversation is in its history as it was published live. */
import type { StreamEvent } from '@dorkos/shared'
import { apiError, hang, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()

const historyOf = async (id: string, limit?: number): Promise<StreamEvent[]> => {
  const query = limit === undefined ? {} : { query: { limit } }
  return (await used.host.client.getHistory({ params: { id }, ...query })).events
}
/** All pages, oldest first. */
async function pagesOf(id: string, limit: number): Promise<StreamEvent[]> {
  const pages: StreamEvent[][] = []
  let before: string | undefined
  do {
    const page = await used.host.client.getHistory({
      params: { id },
      query: { limit, ...(before !== undefined && { before }) },
    })
    pages.unshift(page.events)
    before = page.before
  } while (before !== undefined)
  return pages.flat()
}
const ofType = <T extends StreamEvent['type']>(events: readonly StreamEvent[], type: T) =>
  events.filter((event): event is Extract<StreamEvent, { type: T }> => event.type === type)
const order = (events: readonly StreamEvent[]) =>
  events.flatMap(({ type }) =>
    ['user_message', 'rate_limit', 'api_retry', 'text_delta', 'turn_end', 'session_taken_over'].includes(type)
      ? [type]
      : [],
  )

describe('a limit of the model', () => {
  it('is in the history as it was published, in its place, once, and after a restart', async () => {
    const session = await used.start(['Nothing yet.'])
    await session.endOf(1)
    await session.say(used.prompts.on('too much', apiError(429), 'Then it was less.'))
    await session.say(used.prompts.on('and now', 'All is well.'))
    const published = ofType(session.watch.events, 'rate_limit')
    expect(published).toMatchObject([{ status: 'rejected' }])
    const history = await historyOf(session.id)
    expect(ofType(history, 'rate_limit')).toEqual(published)
    expect(order(history)).toEqual(order(session.watch.events))
    expect(ofType(history, 'api_retry')).toMatchObject([{ attempt: 1, status: 429, message: 'rate_limit' }])
    for (const limit of [1, 2, 3]) {
      const paged = await pagesOf(session.id, limit)
      expect(ofType(paged, 'rate_limit'), `in pages of ${limit}`).toEqual(published)
      expect(order(paged)).toEqual(order(history))
    }
    await used.host.restart()
    expect(ofType(await historyOf(session.id), 'rate_limit')).toEqual(published)
  })

  it('of a turn that runs is in the snapshot, and not in the history before it', async () => {
    const begun = hang({ afterDeltas: 2, blocks: [text('I have begun with it')] })
    const session = await used.start([apiError(429), begun])
    await session.watch.next('text_delta')
    const abort = new AbortController()
    for await (const frame of used.host.client.followSession(session.id, { signal: abort.signal })) {
      if (frame.frame !== 'snapshot') continue
      const { turn, history_before: before = '' } = frame.snapshot
      expect(ofType(turn, 'rate_limit')).toHaveLength(1)
      const page = await used.host.client.getHistory({ params: session.params, query: { before } })
      expect(ofType(page.events, 'rate_limit')).toEqual([])
      abort.abort()
      break
    }
  })
})

describe('a call that a rule allowed', () => {
  const again = () => toolUse('Bash', { command: 'echo again > out', description: 'a test' })
  const allowed = (events: readonly StreamEvent[]) => ofType(events, 'tool_call_allowed')

  async function runTwice(): Promise<Conversation> {
    const session = await used.start([again(), again(), 'done'])
    await session.answer({ decision: 'allow', scope: 'session' })
    await session.endOf(1)
    return session
  }

  it('says so live, in the history, after a restart, and in a fork', async () => {
    const session = await runTwice()
    const [asked, unasked] = ofType(session.watch.events, 'tool_call_end')
    const { rules } = await used.host.client.listRules()
    const rule = rules.find(({ scope }) => scope.kind === 'session' && scope.session_id === session.id)
    const published = allowed(session.watch.events)
    expect(published).toMatchObject([
      {
        tool_call_id: unasked?.tool_call_id,
        decided_by: { kind: 'rule', rule_id: rule?.id, rule_name: 'Bash(echo again > out)' },
      },
    ])
    const [resolved] = ofType(session.watch.events, 'approval_resolved')
    expect(resolved).toMatchObject({ tool_call_id: asked?.tool_call_id, decided_at: expect.any(String) })
    const history = await historyOf(session.id)
    expect(allowed(history)).toEqual(published)
    const [kept] = ofType(history, 'approval_resolved')
    expect(kept?.decided_at).toBe(resolved?.decided_at)
    for (const limit of [1, 2]) expect(allowed(await pagesOf(session.id, limit))).toEqual(published)

    await used.host.client.revokeRule({ params: { id: rule?.id ?? '' } })
    await used.host.restart()
    expect(allowed(await historyOf(session.id))).toEqual(published)
    const fork = used.follow((await used.host.client.forkSession({ params: session.params, body: {} })).id)
    const ids = (events: readonly StreamEvent[]) => allowed(events).map((event) => event.tool_call_id)
    expect(ids(await historyOf(fork.id))).toEqual(ids(published))
    await fork.say(used.prompts.on('in the fork', 'still so'))
    expect(ids(await historyOf(fork.id))).toEqual(ids(published))
  })
})
