import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { ControlProtocolError, SessionStateError, TimeoutError } from '../src/index.ts'
import { nextTurn } from './support/collect.ts'
import { type FakeAgent, startFakeAgent } from './support/fake-agent.ts'

const slowTurn = [steps.say('busy'), steps.wait(60_000)]

/** The control requests that the CLI received, in order. */
async function requested(fake: FakeAgent): Promise<Record<string, unknown>[]> {
  const lines = (await fake.entries('stdin')).map((entry) => entry.message)
  return lines
    .filter((message) => message.type === 'control_request')
    .map((message) => message.request as Record<string, unknown>)
}

describe('a control request', () => {
  it('that is answered late resolves late, and holds up nothing meanwhile', async () => {
    await using fake = startFakeAgent({ answers: { set_model: { late: 400 } } })
    const session = await fake.agent.startSession({ keepAlive: true })
    const order: string[] = []
    await Promise.all([
      session.setModel('slow-model').then(() => order.push('set_model')),
      session.getContextUsage().then(() => order.push('get_context_usage')),
    ])
    expect(order).toEqual(['get_context_usage', 'set_model'])
  })

  it('that is answered too late has timed out, and the late answer does no harm', async () => {
    await using fake = startFakeAgent({ answers: { set_model: [{ late: 400 }, 'normal'] } })
    const session = await fake.agent.startSession({ keepAlive: true })
    const error = await session.control('set_model', { model: 'a' }, { timeoutMs: 50 }).catch((e) => e)
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ operation: 'set_model', timeoutMs: 50 })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await session.control('set_model', { model: 'b' })).toEqual({ model: 'b' })
    expect(session.getState().state).toBe('idle')
    expect(fake.warnings).toEqual([])
  })

  it('that is answered twice resolves once', async () => {
    await using fake = startFakeAgent({ turns: [[steps.say('hi')]], answers: { set_model: 'twice' } })
    const session = await fake.agent.startSession({ keepAlive: true })
    expect(await session.control('set_model', { model: 'a' })).toEqual({ model: 'a' })
    expect(await session.control('get_binary_version')).toHaveProperty('version')
    const ended = nextTurn(session)
    await session.send('go')
    expect(await ended).toBe('completed')
    expect(fake.warnings).toEqual([])
  })

  it('initialize answered twice starts one session', async () => {
    await using fake = startFakeAgent({ turns: [[steps.say('hi')]], answers: { initialize: 'twice' } })
    const session = await fake.start()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed', outcome: 'completed' })
  })

  it('that is never answered times out after controlTimeoutMs', async () => {
    await using fake = startFakeAgent(
      { answers: { set_permission_mode: 'never' } },
      { controlTimeoutMs: 2000 },
    )
    const session = await fake.agent.startSession({ keepAlive: true })
    await expect(session.setPermissionMode('plan')).rejects.toMatchObject({
      code: 'TIMEOUT',
      operation: 'set_permission_mode',
      timeoutMs: 2000,
    })
    await session.setModel('still-works')
  })

  it('that is never answered is rejected when the session is ended', async () => {
    await using fake = startFakeAgent({ answers: { get_session_cost: 'never' } })
    const session = await fake.agent.startSession({ keepAlive: true })
    const cost = session.getSessionCost().catch((error: unknown) => error)
    await session.close()
    expect(await cost).toBeInstanceOf(SessionStateError)
  })

  it('that is refused rejects with what the CLI said', async () => {
    await using fake = startFakeAgent({
      answers: { set_model: { error: 'no such model', code: 'unknown_model' }, rewind_files: 'error' },
    })
    const session = await fake.agent.startSession({ keepAlive: true })
    const error = await session.setModel('nonsense').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ControlProtocolError)
    expect(error).toMatchObject({
      code: 'CONTROL_PROTOCOL',
      subtype: 'set_model',
      errorCode: 'unknown_model',
      message: expect.stringContaining('no such model'),
    })
    await expect(session.rewindFiles('some-uuid')).rejects.toThrow(ControlProtocolError)
    await expect(session.control('no_such_request')).rejects.toMatchObject({
      errorCode: 'unsupported_request',
    })
    expect(session.getState().state).toBe('idle')
  })

  it('initialize refused: startSession() rejects with what the CLI said', async () => {
    await using fake = startFakeAgent({ answers: { initialize: { error: 'not today' } } })
    await expect(fake.start()).rejects.toMatchObject({ code: 'CONTROL_PROTOCOL', subtype: 'initialize' })
    await fake.expectAllGone()
  })

  it('with a value that is not JSON is refused before anything is written', async () => {
    await using fake = startFakeAgent([])
    const session = await fake.agent.startSession({ keepAlive: true })
    await expect(session.control('set_model', { model: 10n })).rejects.toMatchObject({
      code: 'CLI_CONNECTION',
    })
    await session.setModel('fine')
    expect((await requested(fake)).map((request) => request.subtype)).toEqual(['initialize', 'set_model'])
  })

  it('whose answer is no object resolves with an empty one', async () => {
    await using fake = startFakeAgent({ answers: { get_session_cost: { value: 'free' } } })
    const session = await fake.agent.startSession({ keepAlive: true })
    expect(await session.getSessionCost()).toEqual({})
    expect(await session.mcpServerStatus()).toEqual([])
  })
})

describe('interrupt()', () => {
  it('answered late: the turn is over when it resolves, and the session is idle', async () => {
    await using fake = startFakeAgent({ turns: [slowTurn], answers: { interrupt: { late: 300 } } })
    const session = await fake.start({ keepAlive: true })
    const ended = nextTurn(session)
    await session.interrupt()
    expect(await ended).toBe('interrupted')
  })

  it('refused once can be tried again', async () => {
    await using fake = startFakeAgent({ turns: [slowTurn], answers: { interrupt: ['error', 'normal'] } })
    const session = await fake.start({ keepAlive: true })
    await expect(session.interrupt()).rejects.toThrow(ControlProtocolError)
    expect(session.getState().state).toBe('running')
    const ended = nextTurn(session)
    await session.interrupt()
    expect(await ended).toBe('interrupted')
  })

  it('says which messages still wait, and drops them on request', async () => {
    await using fake = startFakeAgent({ turns: [slowTurn, slowTurn] })
    const session = await fake.start({ keepAlive: true })
    const { uuid } = await session.send('second')
    expect(await session.interrupt({ cancelQueued: true })).toEqual({ stillQueued: [], cancelled: [uuid] })
  })
})

describe('ending', () => {
  it.each(['never', 'error', 'twice'] as const)('works when end_session is answered: %s', async (answer) => {
    await using fake = startFakeAgent({ turns: [[steps.say('hi')]], answers: { end_session: answer } })
    const session = await fake.start()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed', outcome: 'completed' })
    await fake.expectAllGone()
  })
})

describe('requests of the CLI', () => {
  const request = (id: string, subtype: string, fields = {}) =>
    steps.emit({ type: 'control_request', request_id: id, request: { subtype, ...fields } })

  async function answersTo(fake: FakeAgent, id: string): Promise<Record<string, unknown>[]> {
    const lines = (await fake.entries('stdin')).map((entry) => entry.message)
    return lines
      .filter((message) => message.type === 'control_response')
      .map((message) => message.response as Record<string, unknown>)
      .filter((response) => response.request_id === id)
  }

  it('of an unknown kind, for an unknown server or hook, are answered with an error', async () => {
    await using fake = startFakeAgent([
      request('u', 'no_such_thing'),
      request('h', 'hook_callback', { callback_id: 'hook_99' }),
      request('m', 'mcp_message', {
        server_name: 'nobody',
        message: { jsonrpc: '2.0', id: 3, method: 'tools/list' },
      }),
      steps.wait(200),
    ])
    const session = await fake.start()
    await session.waitForCompletion()
    expect(await answersTo(fake, 'u')).toMatchObject([{ subtype: 'error' }])
    expect(await answersTo(fake, 'h')).toMatchObject([{ subtype: 'error' }])
    expect(await answersTo(fake, 'm')).toMatchObject([
      { response: { mcp_response: { id: 3, error: { message: expect.stringContaining('nobody') } } } },
    ])
  })

  it('that are repeated while they are open are answered once, by one call of the handler', async () => {
    let calls = 0
    const ask = request('q', 'can_use_tool', { tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' })
    await using fake = startFakeAgent([ask, ask, steps.wait(400)], {
      canUseTool: async () => {
        calls++
        await new Promise((resolve) => setTimeout(resolve, 100))
        return { behavior: 'allow' }
      },
    })
    const session = await fake.start()
    await session.waitForCompletion()
    expect(calls).toBe(1)
    expect(await answersTo(fake, 'q')).toMatchObject([{ response: { behavior: 'allow' } }])
  })
})
