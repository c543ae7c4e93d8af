import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  call,
  type GatewayFixture,
  gatewayFixture,
  inState,
  plainEntry,
  textOf,
} from '../../test/support/gateway-fixture.ts'
import type { ElicitationRequest, ElicitationResult, Holder } from './supervised-server.ts'

let fixture: GatewayFixture
beforeEach(() => {
  fixture = gatewayFixture()
})
afterEach(() => fixture.end())

function person(
  id: string,
  answer: ElicitationResult | 'never' = { action: 'accept', content: { color: id } },
) {
  const questions: ElicitationRequest[] = []
  let heard = () => {}
  const asked = new Promise<void>((resolve) => {
    heard = resolve
  })
  const holder: Holder = {
    id,
    onElicitation(request) {
      questions.push(request)
      heard()
      return answer === 'never' ? new Promise(() => {}) : Promise.resolve(answer)
    },
  }
  return { holder, questions, asked }
}

const answerOf = async (result: Promise<Record<string, unknown>>) =>
  JSON.parse(await textOf(result)) as unknown

describe('a question on a shared connection', () => {
  it('is for the one whose call is under way; from then on the others have connections of their own', async () => {
    const changes: boolean[] = []
    const supervisor = fixture.supervisor()
    const entry = plainEntry()
    const [a, b] = [person('a'), person('b')]
    const holdA = supervisor.hold(entry, a.holder)
    const holdB = supervisor.hold(entry, b.holder)
    supervisor.onChange((key) => changes.push(supervisor.get(key)?.asksForInput === true))
    const shared = await textOf(call(holdA, 'pid'))
    expect(await textOf(call(holdB, 'pid'))).toBe(shared)
    expect(await answerOf(call(holdA, 'ask', { text: 'it' }))).toEqual({
      action: 'accept',
      content: { color: 'a' },
    })
    expect(a.questions).toMatchObject([
      { server: 'plain', message: 'What of it?', schema: { type: 'object' }, url: undefined },
    ])
    expect(b.questions).toEqual([])
    expect(changes).toContain(true)
    expect(holdA.status().asksForInput).toBe(true)
    const holdC = supervisor.hold(entry, person('c').holder)
    const pids: string[] = []
    for (const hold of [holdA, holdB, holdC]) pids.push(await textOf(call(hold, 'pid')))
    expect(pids[0]).toBe(shared)
    expect(new Set(pids).size).toBe(3)
    expect(await answerOf(call(holdC, 'ask', { text: 'it' }))).toEqual({
      action: 'accept',
      content: { color: 'c' },
    })
  })

  it('is asked where there is one holder, which keeps the connection', async () => {
    const supervisor = fixture.supervisor()
    const a = person('a')
    const hold = supervisor.hold(plainEntry(), a.holder)
    const pid = await textOf(call(hold, 'pid'))
    expect(await answerOf(call(hold, 'ask'))).toMatchObject({ action: 'accept' })
    expect(await textOf(call(hold, 'pid'))).toBe(pid)
  })

  it('leaves what is under way where it is, and notifies each of its own connection', async () => {
    const supervisor = fixture.supervisor()
    const holdA = supervisor.hold(plainEntry(), person('a').holder)
    const holdB = supervisor.hold(plainEntry(), person('b').holder)
    await inState(holdA, 'connected')
    const waiting = textOf(call(holdB, 'wait', { ms: 500, text: 'b' }))
    await answerOf(call(holdA, 'ask'))
    const changes: string[] = []
    holdA.onChange(({ type }) => changes.push(`a ${type}`))
    const grown = new Promise<void>((resolve) => {
      holdB.onChange(({ type }) => {
        changes.push(`b ${type}`)
        if (holdB.catalogue().tools.some(({ name }) => name === 'more')) resolve()
      })
    })
    await call(holdB, 'grow', { name: 'more' })
    await grown
    expect(changes).toContain('b catalogue')
    expect(holdA.catalogue().tools.map(({ name }) => name)).not.toContain('more')
    expect(await waiting).toBe('waited for b')
    changes.length = 0
    holdB.release()
    holdB.release()
    expect(changes.filter((each) => each.startsWith('b'))).toEqual([])
    expect(holdA.status().sessions).toBe(1)
  })

  it('is answered with cancel when it could be about two calls', async () => {
    const supervisor = fixture.supervisor()
    const [a, b] = [person('a'), person('b')]
    const holdA = supervisor.hold(plainEntry(), a.holder)
    const holdB = supervisor.hold(plainEntry(), b.holder)
    await inState(holdA, 'connected')
    const stop = new AbortController()
    const params = { name: 'wait', arguments: { ms: 60_000 } }
    const other = holdB.request('tools/call', params, { signal: stop.signal }).catch(() => {})
    await holdB.request('ping', {})
    expect(await answerOf(call(holdA, 'ask'))).toEqual({ action: 'cancel' })
    expect([...a.questions, ...b.questions]).toEqual([])
    expect(holdA.status().asksForInput).toBe(true)
    stop.abort()
    await other
  })

  it('is answered with cancel when it could be about a call that another gave up on', async () => {
    const supervisor = fixture.supervisor()
    const [a, b] = [person('a'), person('b')]
    const holdA = supervisor.hold(plainEntry(), a.holder)
    const holdB = supervisor.hold(plainEntry(), b.holder)
    await inState(holdA, 'connected')
    const stop = new AbortController()
    const params = { name: 'wait', arguments: { ms: 60_000 } }
    const other = holdB.request('tools/call', params, { signal: stop.signal }).catch(() => {})
    await holdB.request('ping', {})
    stop.abort()
    await other
    holdB.release()
    expect(await answerOf(call(holdA, 'ask'))).toEqual({ action: 'cancel' })
    expect([...a.questions, ...b.questions]).toEqual([])
  })

  it('goes to the one whose call is under way also where the entry says shared', async () => {
    const supervisor = fixture.supervisor()
    const entry = plainEntry({ sharing: 'shared' })
    const [a, b] = [person('a'), person('b')]
    const holds = [a, b].map(({ holder }) => supervisor.hold(entry, holder))
    for (const [index, id] of ['a', 'b'].entries())
      expect(await answerOf(call(holds[index]!, 'ask'))).toEqual({ action: 'accept', content: { color: id } })
    expect([a.questions.length, b.questions.length]).toEqual([1, 1])
  })

  it('leaves holders where they are if the entry says shared', async () => {
    const supervisor = fixture.supervisor()
    const entry = plainEntry({ sharing: 'shared' })
    const hold = supervisor.hold(entry, person('a').holder)
    await answerOf(call(hold, 'ask'))
    const later = supervisor.hold(entry, person('b').holder)
    expect(await textOf(call(later, 'pid'))).toBe(await textOf(call(hold, 'pid')))
  })
})

it('is remembered from an earlier run', async () => {
  const entry = plainEntry()
  const key = fixture.supervisor().keyOf(entry)
  const supervisor = fixture.supervisor({ knownToAsk: [key] })
  const [a, b] = ['a', 'b'].map((id) => supervisor.hold(entry, person(id).holder))
  expect(a!.status().asksForInput).toBe(true)
  expect(await textOf(call(a!, 'pid'))).not.toBe(await textOf(call(b!, 'pid')))
})

it('is not offered where nobody can be asked', async () => {
  const supervisor = fixture.supervisor()
  const mute = supervisor.hold(plainEntry({ name: 'mute' }), { id: 'a' })
  const able = supervisor.hold(plainEntry({ name: 'able' }), person('a').holder)
  await Promise.all([inState(mute, 'connected'), inState(able, 'connected')])
  // The server repeats in its instructions what it was told.
  expect(JSON.parse(mute.catalogue().instructions ?? '')).toEqual({})
  expect(JSON.parse(able.catalogue().instructions ?? '')).toEqual({ elicitation: { form: {}, url: {} } })
  expect(await answerOf(call(mute, 'ask'))).toMatchObject({ code: -32601 })
})

describe('the person', () => {
  const ask = (url: string) => ({
    params: { mode: 'url', elicitationId: '1', url, message: 'Log in\u202e here' },
  })

  it('is shown pages of the web and nothing else', async () => {
    const a = person('a', { action: 'accept' })
    const hold = fixture.supervisor().hold(plainEntry({ sharing: 'session' }), a.holder)
    expect(await answerOf(call(hold, 'ask', ask('https://example.com/login')))).toEqual({ action: 'accept' })
    expect(a.questions).toMatchObject([
      { message: 'Log in here', url: 'https://example.com/login', schema: undefined },
    ])
    for (const url of ['file:///etc/passwd', 'vscode://x', 'javascript:alert(1)']) {
      expect(await answerOf(call(hold, 'ask', ask(url)))).toEqual({ action: 'cancel' })
    }
    expect(a.questions).toHaveLength(1)
  })

  it('may take longer than a call, and is notified when nobody waits any more', async () => {
    const a = person('a', 'never')
    const hold = fixture.supervisor().hold(plainEntry({ sharing: 'session', timeoutMs: 1_500 }), a.holder)
    await inState(hold, 'connected')
    // The start of its own process counts for its first call, and may take longer than that on a busy machine.
    await expect.poll(() => textOf(call(hold, 'pid')).catch(() => undefined)).toBeDefined()
    const asking = call(hold, 'ask').catch((error: unknown) => error)
    await a.asked
    expect(await textOf(call(hold, 'progress', { steps: 4, ms: 500, text: 'x' }))).toBe('did x')
    expect(a.questions[0]?.signal.aborted).toBe(false)
    hold.release()
    expect(a.questions[0]?.signal.aborted).toBe(true)
    expect(await asking).toMatchObject({ code: -32000 })
  })

  it('who answers nonsense, or fails to, has cancelled', async () => {
    const supervisor = fixture.supervisor()
    const nonsense = supervisor.hold(
      plainEntry({ name: 'x' }),
      person('a', { action: 'ok' } as unknown as ElicitationResult).holder,
    )
    expect(await answerOf(call(nonsense, 'ask'))).toEqual({ action: 'cancel' })
    const failing = supervisor.hold(plainEntry({ name: 'y' }), {
      id: 'a',
      onElicitation: () => Promise.reject(new Error('no')),
    })
    expect(await answerOf(call(failing, 'ask'))).toEqual({ action: 'cancel' })
  })
})
