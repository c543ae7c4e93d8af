/** Going back: a fork that begins as another session did, and files as they were before a message. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamEvent } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Prompts } from './support/prompts.ts'
import { type Host, startHost } from './support/start-host.ts'

const prompts = new Prompts()
let host: Host
const open: Conversation[] = []
beforeAll(async () => {
  host = await startHost(prompts.script)
})
afterEach(async () => {
  for (const conversation of open.splice(0)) await conversation.close()
})
afterAll(() => host?.close())

async function start(): Promise<Conversation> {
  const conversation = await Conversation.open(host, { permission_mode: 'acceptEdits' })
  open.push(conversation)
  return conversation
}

async function fork(source: Conversation, body: { message_id?: string; title?: string } = {}) {
  const session = await host.client.forkSession({ params: source.params, body })
  const conversation = new Conversation(host, session.id)
  open.push(conversation)
  return { session, conversation }
}

/** What was said, by both, in order. */
async function history(id: string): Promise<string[]> {
  return saidIn((await host.client.getHistory({ params: { id } })).events)
}
const saidIn = (events: readonly StreamEvent[]) =>
  events.flatMap((event) =>
    event.type === 'user_message' ? [String(event.content)] : event.type === 'text_delta' ? [event.text] : [],
  )
/** Where a fork from this answer begins. */
async function answered(id: string, text: string): Promise<string> {
  const { events } = await host.client.getHistory({ params: { id } })
  const answer = events.find((event) => event.type === 'text_delta' && event.text === text)
  if (answer?.type !== 'text_delta') throw new Error(`${text} is not in the history`)
  return answer.message_id
}
const cost = async (id: string) => {
  const { entries } = await host.client.listLedger({ query: { session_id: id } })
  return { rows: entries.length, usd: entries.reduce((sum, { usd }) => sum + usd, 0) }
}
const lastRequest = (id: string) => host.model.requests.findLast(({ sessionId }) => sessionId === id)

describe('a fork', () => {
  /** All forks but one are of this session, which goes on meanwhile. */
  let source: Conversation
  beforeAll(async () => {
    source = await Conversation.open(host, { permission_mode: 'acceptEdits' })
  })
  afterAll(() => source?.close())

  it('from the end goes on from all that was said, and costs only its own turns', async () => {
    await source.say(prompts.on('one', 'first'))
    await source.say(prompts.on('two', 'second'))
    const paid = await cost(source.id)
    const { session, conversation } = await fork(source, { title: 'another way' })
    expect(session).toMatchObject({
      title: 'another way',
      forked_from: source.id,
      origin: 'dorkos',
      live: true,
    })
    expect(session.id).not.toBe(source.id)
    // Before its first message the CLI has written nothing of it.
    expect(await history(session.id)).toEqual(['one', 'first', 'two', 'second'])
    const { before } = await host.client.getHistory({ params: { id: session.id }, query: { limit: 2 } })
    await conversation.say(prompts.on('three', 'third'))
    expect(JSON.stringify(lastRequest(session.id)?.messages)).toMatch(/one.*first.*two.*second.*three/)
    expect(await history(session.id)).toEqual(['one', 'first', 'two', 'second', 'three', 'third'])
    expect(await history(source.id)).toEqual(['one', 'first', 'two', 'second'])
    // A page that was begun then is gone on with where it was.
    const older = await host.client.getHistory({ params: { id: session.id }, query: { before } })
    expect(saidIn(older.events)).toEqual(['one', 'first'])

    const own = await cost(session.id)
    expect(own.rows).toBe(1)
    // One turn of about the size of the source's: what the source paid is not in it.
    expect(own.usd).toBeGreaterThan(0)
    expect(own.usd).toBeLessThan(paid.usd)
    expect(await cost(source.id)).toEqual(paid)
    await source.say(prompts.on('the source goes on', 'indeed'))
    expect(await history(session.id)).not.toContain('indeed')
  })

  it('from a message forgets what came after it, and is resumed as what it became', async () => {
    const { session, conversation } = await fork(source, { message_id: await answered(source.id, 'first') })
    expect(await history(session.id)).toEqual(['one', 'first'])
    await conversation.say(prompts.on('gamma', 'C'))
    expect(await history(session.id)).toEqual(['one', 'first', 'gamma', 'C'])
    expect(JSON.stringify(lastRequest(session.id)?.messages)).not.toContain('second')
    await host.client.stopSession({ params: conversation.params, body: {} })
    await conversation.say(prompts.on('delta', 'D'))
    expect(await history(session.id)).toEqual(['one', 'first', 'gamma', 'C', 'delta', 'D'])
  })

  it('does not have what the other session says before its first message', async () => {
    const common = await history(source.id)
    const { session, conversation } = await fork(source)
    await source.say(prompts.on('mine alone', 'not yours'))
    expect(await history(session.id)).toEqual(common)
    await conversation.say(prompts.on('my way', 'yours'))
    expect(await history(session.id)).toEqual([...common, 'my way', 'yours'])
  })

  it('can be made of a fork that has said nothing yet, from any message that came with it, and of none that is not there', async () => {
    const common = await history(source.id)
    const { events } = await host.client.getHistory({ params: source.params })
    const { conversation: silent } = await fork(source)
    await source.say(prompts.on('trois', 'TROIS'))
    const { conversation: early } = await fork(silent, { message_id: await answered(source.id, 'first') })
    const { conversation: late } = await fork(silent)
    const last = events.findLast((event) => event.type === 'user_message')
    const { conversation: third } = await fork(late, { message_id: last?.message_id ?? '' })
    expect(await history(early.id)).toEqual(['one', 'first'])
    // What the first session has said since is no part of the fork, nor of its forks.
    expect(await history(late.id)).toEqual(common)
    expect(await history(third.id)).toEqual(common.slice(0, -1))
    const notThere = { message_id: '00000000-0000-4000-8000-000000000000' }
    const before = await host.client.listSessions({ query: {} })
    for (const one of [silent, source])
      await expect(fork(one, notThere)).rejects.toMatchObject({ code: 'not_found' })
    const after = await host.client.listSessions({ query: {} })
    expect(after.sessions.map(({ id }) => id)).toEqual(before.sessions.map(({ id }) => id))

    await early.say(prompts.on('quatre', 'QUATRE'))
    await late.say(prompts.on('cinq', 'CINQ'))
    expect(await history(early.id)).toEqual(['one', 'first', 'quatre', 'QUATRE'])
    expect(await history(late.id)).toEqual([...common, 'cinq', 'CINQ'])
    expect(JSON.stringify(lastRequest(early.id)?.messages)).not.toMatch(/second|trois/)
    expect(JSON.stringify(lastRequest(late.id)?.messages)).toMatch(/one.*first.*two.*second.*cinq/)
    expect(JSON.stringify(lastRequest(late.id)?.messages)).not.toContain('trois')
  })

  it('shows what a person decided before it was made, with what ran', async () => {
    const source = await Conversation.open(host, { permission_mode: 'default' })
    open.push(source)
    const asked = { file_path: join(host.cwd, 'decided.txt'), content: 'asked\n' }
    const ran = { ...asked, content: 'edited\n' }
    const turn = await source.send(prompts.on('ask', toolUse('Write', asked), 'done'))
    await source.answer({ decision: 'allow', scope: 'once', updated_input: ran })
    await source.end(turn)
    const { session, conversation } = await fork(source)
    const decided = async () =>
      (await host.client.getHistory({ params: { id: session.id } })).events.filter(
        ({ type }) => type === 'approval_resolved',
      )
    const expected = [{ state: 'allowed', decided_by: { kind: 'person' }, updated_input: ran }]
    expect(await decided()).toMatchObject(expected)
    await conversation.say(prompts.on('after the fork', 'still so'))
    expect(await decided()).toMatchObject(expected)
  })
})

describe('files', () => {
  it('can be put back as they were before a message', async () => {
    const kept = join(host.cwd, 'kept.txt')
    const made = join(host.cwd, 'made.txt')
    writeFileSync(kept, 'before\n')
    const session = await start()
    await session.say(prompts.on('look', toolUse('Read', { file_path: kept }), 'read'))
    const turn = await session.send(
      prompts.on(
        'change it',
        toolUse('Edit', { file_path: kept, old_string: 'before', new_string: 'after' }),
        toolUse('Write', { file_path: made, content: 'new\n' }),
        'changed',
      ),
    )
    await session.end(turn)
    expect(readFileSync(kept, 'utf8')).toBe('after\n')

    const rewind = (dry_run: boolean) =>
      host.client.rewindFiles({ params: session.params, body: { message_id: turn.id, dry_run } })
    const plan = await rewind(true)
    expect(plan).toMatchObject({ can_rewind: true })
    expect(plan.files.toSorted()).toEqual([kept, made].toSorted())
    expect(readFileSync(kept, 'utf8')).toBe('after\n')
    // A process that is started for it knows the files too.
    await host.client.stopSession({ params: session.params, body: {} })
    expect(await rewind(false)).toMatchObject({ can_rewind: true })
    expect(readFileSync(kept, 'utf8')).toBe('before\n')
    expect(existsSync(made)).toBe(false)

    const unknown = { message_id: '00000000-0000-4000-8000-000000000000', dry_run: true }
    expect(await host.client.rewindFiles({ params: session.params, body: unknown })).toMatchObject({
      can_rewind: false,
      reason: expect.any(String),
    })
  })
})
