/** The live part against a real server with the real CLI: what a page sees, without a page. */
import { reply, text, toolUse } from '@dorkos/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useHost as startedHost } from '../../server/test/support/use-host.ts'
import { createLive, type Live } from '../src/live/create-live.ts'
import type { PageSession } from '../src/live/page-session.ts'
import { fakeLeader, fakePage } from './support/fake-stream.ts'

const used = startedHost()
let live: Live

beforeEach(() => {
  live = newPage()
})
afterEach(() => live.stop())

/** Another tab, as it were. */
function newPage(): Live {
  const page = createLive({
    client: used.host.client,
    nextFrame: (run) => setTimeout(run, 5),
    page: fakePage().page,
    leader: fakeLeader().leader,
    signedOut() {},
    faultText: String,
  })
  page.start()
  return page
}

async function until(page: Live, id: string, isTrue: (state: PageSession) => boolean): Promise<PageSession> {
  const topic = page.store.session(id)
  return await new Promise((resolve) => {
    const check = () => {
      const state = topic.get()
      if (!isTrue(state)) return
      leave()
      resolve(state)
    }
    const leave = topic.subscribe(check)
    check()
  })
}

const words = ({ items }: PageSession) =>
  items.map((item) =>
    item.kind === 'text' ? item.text : item.kind === 'tool' ? `${item.name} ${item.status}` : item.kind,
  )
const turns = (count: number) => (state: PageSession) =>
  state.items.filter(({ kind }) => kind === 'turn').length === count && state.turn === undefined
const isLoaded = ({ history }: PageSession) => history.phase === 'complete'

describe('a page', () => {
  it('sees a turn as it comes, answers, and a second page and a reload see the same', async () => {
    const calls = reply([text('I ask.'), toolUse('mcp__dorkos__ping', {})])
    const session = await used.start([calls, 'It answered.'])
    live.follow(session.id)
    const isWaiting = ({ items }: PageSession) => {
      const last = items.at(-1)
      return last?.kind === 'tool' && last.status === 'waiting'
    }
    // The inbox and the session are notified one after the other.
    const asked = await until(live, session.id, isWaiting)
    expect(Object.keys(asked.approvals)).toHaveLength(1)
    await expect.poll(() => live.store.approvals.now()).toHaveLength(1)
    const second = newPage()
    second.follow(session.id)
    const there = await until(second, session.id, (state) => isLoaded(state) && isWaiting(state))
    expect(there.items).toHaveLength(3)
    expect(there.items.at(-1)).toMatchObject({ kind: 'tool', status: 'waiting' })
    await session.answer()
    const first = await until(live, session.id, turns(1))
    const shown = ['user', 'I ask.', 'mcp__dorkos__ping done', 'It answered.', 'turn']
    expect(words(first)).toEqual(shown)
    expect(words(await until(second, session.id, turns(1)))).toEqual(shown)
    await expect.poll(() => live.store.approvals.now()).toEqual([])
    second.stop()
    const reloaded = newPage()
    reloaded.follow(session.id)
    expect(words(await until(reloaded, session.id, isLoaded))).toEqual(shown)
    reloaded.stop()
  })

  it('goes on where it was when another session is looked at, and knows when one is deleted', async () => {
    const [a, b] = [await used.start(['First.']), await used.start(['Second.'])]
    live.follow(a.id)
    await until(live, a.id, (state) => isLoaded(state) && turns(1)(state))
    live.follow(b.id)
    await until(live, b.id, (state) => isLoaded(state) && turns(1)(state))
    await a.say(used.prompts.on('more for a', 'More.'))
    expect(words(await until(live, a.id, turns(2)))).toEqual([
      'user',
      'First.',
      'turn',
      'user',
      'More.',
      'turn',
    ])
    await b.close()
    await used.host.client.deleteSession({ params: { id: b.id } })
    await until(live, b.id, ({ phase }) => phase === 'gone')
    expect(live.store.session(a.id).now().phase).toBe('ready')
    // One that was never there does not cost the others anything.
    const missing = '00000000-0000-4000-8000-000000000000'
    live.follow(missing)
    await until(live, missing, ({ phase }) => phase === 'gone')
    await a.say(used.prompts.on('and more', 'Still here.'))
    expect(words(await until(live, a.id, turns(3))).slice(-2)).toEqual(['Still here.', 'turn'])
  })
})
