/** A message that is sent again in its place: the conversation goes on from right before it. */
import type { StreamEvent } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Prompts } from './support/prompts.ts'
import { type Host, startHost } from './support/start-host.ts'

const prompts = new Prompts()
let host: Host
let session: Conversation
beforeAll(async () => {
  host = await startHost(prompts.script)
  session = await Conversation.open(host, { permission_mode: 'bypassPermissions' })
})
afterAll(async () => {
  await session?.close()
  await host?.close()
})

const saidIn = (events: readonly StreamEvent[]) =>
  events.flatMap((event) =>
    event.type === 'user_message' ? [String(event.content)] : event.type === 'text_delta' ? [event.text] : [],
  )
const history = async (id = session.id) => (await host.client.getHistory({ params: { id } })).events
/** What people and the model had said, as the model was last sent it. */
function heard(): string[] {
  const { messages = [] } = host.model.requests.at(-1) ?? {}
  const texts = messages.flatMap(({ role, content }) =>
    role === 'system' ? [] : typeof content === 'string' ? [content] : content.map(({ text }) => text),
  )
  return texts.filter(
    (text): text is string => typeof text === 'string' && !text.startsWith('<system-reminder>'),
  )
}

/** The id of a message whose turn is over. */
const say = async (content: string) => (await session.say(content)).turn_id

async function resend(messageId: string, content?: string) {
  const params = { id: session.id, messageId }
  const { turn } = await host.client.resendMessage({ params, body: content === undefined ? {} : { content } })
  expect(turn).toMatchObject({ replaces: messageId, cause: 'message' })
  return session.end(turn)
}

describe('the last message', () => {
  it('is replaced when it is the first, and the conversation begins anew', async () => {
    const first = await say(prompts.on('helo', 'what?'))
    const again = await resend(first, prompts.on('hello', 'hello to you'))
    expect(again.outcome).toBe('completed')
    expect(heard()).toEqual(['hello'])
    expect(saidIn(await history())).toEqual(['hello', 'hello to you'])
    // What was left is no session of its own.
    const { sessions } = await host.client.listSessions({ query: { limit: 100 } })
    expect(sessions.map(({ id }) => id)).toEqual([session.id])
    expect(session.watch.of('turn_start').at(-1)).toMatchObject({ turn_id: again.turn_id, replaces: first })
  })

  it('is changed, with what the agent did since; all before stays', async () => {
    const call = toolUse('Bash', { command: 'echo done', description: 'test' })
    const asked = await say(prompts.on('do it', call, 'did it'))
    await resend(asked, prompts.on('do the other thing', 'did the other'))
    expect(heard()).toEqual(['hello', 'hello to you', 'do the other thing'])
    const events = await history()
    expect(saidIn(events)).toEqual(['hello', 'hello to you', 'do the other thing', 'did the other'])
    expect(events.map(({ type }) => type)).not.toContain('tool_call_start')
    expect(events.map(({ type }) => type)).not.toContain('tool_call_allowed')
    // Two turns are left of the five that ran, all of them paid for.
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(2)
    expect((await host.client.listLedger({ query: { session_id: session.id } })).entries).toHaveLength(4)
  })

  it('is sent as it was, also while the agent still works on it, and before what waits', async () => {
    let called = () => {}
    const isCalled = new Promise<void>((resolve) => {
      called = resolve
    })
    const hanging = async () => {
      called()
      return toolUse('Bash', { command: 'sleep 30', description: 'test' })
    }
    const running = await session.send(prompts.on('slow', hanging))
    await isCalled
    const waiting = await session.send(prompts.on('afterwards', 'after'))
    // The process that is ended may still ask once, when its command is.
    prompts.on('slow', 'quick this time', 'quick this time')
    const again = await resend(running.id)
    expect(again.outcome).toBe('completed')
    await session.end(waiting)
    expect(saidIn(await history()).slice(4)).toEqual(['slow', 'quick this time', 'afterwards', 'after'])
  })

  it('is the only one that can be: an earlier one is forked right before it', async () => {
    const turns = (await host.client.listTurns({ params: session.params, query: {} })).turns
    const earlier = turns.find(({ content }) => content === 'do the other thing')
    const params = { id: session.id, messageId: earlier?.id ?? '' }
    await expect(host.client.resendMessage({ params, body: {} })).rejects.toMatchObject({ code: 'conflict' })
    const body = { message_id: earlier?.id ?? '', before: true }
    const fork = await host.client.forkSession({ params: session.params, body })
    expect(saidIn(await history(fork.id))).toEqual(['hello', 'hello to you'])
    await host.client.deleteSession({ params: { id: fork.id } })
    const first = turns.find(({ content }) => content === 'hello')
    const whole = { message_id: first?.id ?? '', before: true }
    const empty = await host.client.forkSession({ params: session.params, body: whole })
    expect(saidIn(await history(empty.id))).toEqual([])
    await host.client.deleteSession({ params: { id: empty.id } })
  })
})
