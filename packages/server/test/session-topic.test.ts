/** What every page hears of sessions that do not live: made, changed, forked, deleted; and what their list is sorted by. */
import type { EndpointBody, Session } from '@dorkos/shared'
import { afterEach, expect, it } from 'vitest'
import { ServerTopic } from './support/server-topic.ts'
import { useHost } from './support/use-host.ts'

const used = useHost({ config: { sessions: { prewarm: false } } })
const topics: ServerTopic[] = []
afterEach(async () => {
  for (const topic of topics.splice(0)) await topic.close()
})

/** Two pages, both connected. */
async function pages(): Promise<ServerTopic[]> {
  const opened = [new ServerTopic(used.host.client), new ServerTopic(used.host.client)]
  topics.push(...opened)
  await Promise.all(opened.map((topic) => topic.open()))
  return opened
}

const heard = (topics: ServerTopic[], id: string, fits: (session: Session) => boolean) =>
  Promise.all(
    topics.map((topic) => topic.next('session_changed', ({ session }) => session.id === id && fits(session))),
  )

it('is notified of what was made and changed without a process', async () => {
  const { client } = used.host
  const both = await pages()
  const { session } = await client.createSession({ body: { title: 'first' } })
  await heard(both, session.id, ({ title }) => title === 'first')
  const changes: [EndpointBody<'changeSession'>, (session: Session) => boolean][] = [
    [{ title: 'renamed' }, ({ title }) => title === 'renamed'],
    [{ pinned: true }, ({ pinned }) => pinned],
    [{ permission_mode: 'plan' }, ({ permission_mode }) => permission_mode === 'plan'],
    [{ archived: true }, ({ archived }) => archived],
  ]
  for (const [body, fits] of changes) {
    await client.changeSession({ params: { id: session.id }, body })
    for (const event of await heard(both, session.id, fits)) expect(event.session.live).toBe(false)
  }
  await client.deleteSession({ params: { id: session.id } })
  for (const topic of both) {
    await topic.next('session_deleted', ({ session_id }) => session_id === session.id)
    const last = topic.events.findLast(
      (event) => event.type === 'session_changed' && event.session.id === session.id,
    )
    expect(topic.events.indexOf(last as never)).toBeLessThan(
      topic.events.findIndex((event) => event.type === 'session_deleted'),
    )
  }
})

it('is notified of a fork', async () => {
  const { client } = used.host
  const source = await used.start(['said'])
  await source.endOf(1)
  await client.stopSession({ params: source.params, body: {} })
  const both = await pages()
  const fork = await client.forkSession({ params: source.params, body: { title: 'another way' } })
  for (const event of await heard(both, fork.id, () => true))
    expect(event.session).toMatchObject({ title: 'another way', forked_from: source.id })
  await used.follow(fork.id).close()
})

it('a session moves up when something is said in it, not when it is renamed or pinned', async () => {
  const { client } = used.host
  const begun = async (answer: string) => {
    const session = await used.start([answer])
    await session.endOf(1)
    await client.stopSession({ params: session.params, body: {} })
    return session
  }
  const older = await begun('one')
  const newer = await begun('two')
  const before = await older.session()
  const change = (body: EndpointBody<'changeSession'>) => client.changeSession({ params: older.params, body })
  await change({ title: 'renamed' })
  expect(await change({ pinned: true })).toMatchObject({ updated_at: before.updated_at, pinned: true })
  const order = async (query: { pinned?: 'true' | 'false' } = {}) => {
    const { sessions } = await client.listSessions({ query })
    return sessions.map(({ id }) => id).filter((id) => id === older.id || id === newer.id)
  }
  expect(await order()).toEqual([newer.id, older.id])
  expect(await order({ pinned: 'true' })).toEqual([older.id])
  expect(await order({ pinned: 'false' })).toEqual([newer.id])

  await client.startSession({ params: older.params, body: {} })
  expect(await older.session()).toMatchObject({ live: true, updated_at: before.updated_at })
  await older.say(used.prompts.on('go on', 'three'))
  await expect.poll(order, { timeout: 50_000 }).toEqual([older.id, newer.id])
  const after = await older.session()
  expect(after.updated_at > before.updated_at).toBe(true)
})
