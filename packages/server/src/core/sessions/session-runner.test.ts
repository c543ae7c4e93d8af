import { say } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FakeLoaded } from '../../../test/support/fake-agent.ts'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'

let rig: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => rig.manager.stop(0))

const endOf = (turnId: string) => rig.next('turn_end', ({ turn_id }) => turn_id === turnId)

describe('messages', () => {
  it('run one after the other, each published from begin to end', async () => {
    const first = await rig.send('one')
    const second = await rig.send('two')
    const process = await rig.agent.process(1)
    expect((await process.message(1)).id).toBe(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ state: 'queued' })
    process.run(first.id)
    expect((await process.message(2)).id).toBe(second.id)
    process.run(second.id)
    await endOf(second.id)
    const published = rig.events.filter(({ type }) =>
      ['turn_start', 'user_message', 'turn_end'].includes(type),
    )
    expect(published.map((event) => [event.type, 'turn_id' in event && event.turn_id])).toEqual(
      [first, second].flatMap(({ id }) => [
        ['turn_start', id],
        ['user_message', id],
        ['turn_end', id],
      ]),
    )
    expect(rig.agent.processes).toHaveLength(1)
  })

  it('a background turn that begins while a message is sent leaves the message its own turn', async () => {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin()
    process.end()
    process.run(message.id)
    await endOf(message.id)
    const causes = rig.of('turn_start').map(({ cause }) => cause)
    expect(causes).toEqual(['background', 'message'])
    const background = rig.of('turn_start')[0]?.turn_id ?? ''
    expect(await rig.turn(background)).toMatchObject({ cause: 'background', state: 'ended' })
    expect(await rig.turn(message.id)).toMatchObject({ state: 'ended', outcome: 'completed' })
  })

  it('one that a running turn takes in is published once, and ends joined to it', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const second = await rig.send('two', { delivery: 'steer' })
    expect(await process.message(2)).toMatchObject({ id: second.id, delivery: 'steer' })
    process.handlers.onMessageState(second.id, 'started')
    process.end()
    await endOf(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ outcome: 'joined', joined_turn: first.id })
    expect(rig.of('user_message').map(({ message_id, turn_id }) => [message_id, turn_id])).toEqual([
      [first.id, first.id],
      [second.id, first.id],
    ])
    expect(rig.of('turn_end')).toHaveLength(1)
  })

  it('two that the CLI folds into one turn end as one', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin()
    const second = await rig.send('two', { delivery: 'steer' })
    await process.message(2)
    process.end()
    process.begin(first.id, second.id)
    process.end()
    await endOf(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ outcome: 'joined', joined_turn: first.id })
  })

  it.each(['cancelled', 'ignored'] as const)(
    'one that the CLI reports as %s ends, and the next runs',
    async (state) => {
      const first = await rig.send('one')
      const second = await rig.send('two')
      const process = await rig.agent.process(1)
      await process.message(1)
      process.handlers.onMessageState(first.id, state)
      await endOf(first.id)
      expect(await rig.turn(first.id)).toMatchObject({ outcome: 'withdrawn', reason: expect.any(String) })
      expect((await process.message(2)).id).toBe(second.id)
    },
  )

  it('one of whose turn the CLI reports only the end is published whole, and the next runs', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin()
    process.end()
    const second = await rig.send('two')
    process.handlers.onMessageState(first.id, 'completed')
    expect(await endOf(first.id)).toMatchObject({ outcome: 'completed' })
    const published = rig.events.filter((event) => 'turn_id' in event && event.turn_id === first.id)
    expect(published.map(({ type }) => type)).toEqual(['turn_start', 'user_message', 'turn_end'])
    expect((await process.message(2)).id).toBe(second.id)
  })

  it('one that a running turn is done with and never said it had started on has joined it', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const second = await rig.send('two', { delivery: 'steer' })
    await process.message(2)
    process.handlers.onMessageState(second.id, 'completed')
    process.end()
    await endOf(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ outcome: 'joined', joined_turn: first.id })
  })

  it('one that comes while the CLI gives another up runs when that is done', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    await rig.manager
      .peek(first.session_id)
      ?.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'cancel')
    const second = await rig.send('two')
    const runner = rig.manager.peek(first.session_id)
    // Nothing is at work any more when the report comes.
    await expect.poll(() => runner?.working).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    process.handlers.onMessageState(first.id, 'cancelled')
    await endOf(first.id)
    expect((await process.message(2)).id).toBe(second.id)
  })
})

describe('a stop', () => {
  const stop = async (unread: 'run' | 'hold' | 'cancel') =>
    rig.manager
      .peek((await rig.record()).id)
      ?.interrupt(say('cli_words', { text: 'stopped' }), 'person', unread)

  /** A process that has a message and has not begun on it. */
  async function beforeBegin() {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    const asked: boolean[] = []
    process.onInterrupt = async ({ cancelUnread }) => {
      asked.push(cancelUnread)
      return { unread: asked.length === 1 ? [message.id] : [] }
    }
    return { message, process, asked }
  }

  it('that the CLI forgets, because it had not begun on the message, is repeated when it does', async () => {
    const { message, process, asked } = await beforeBegin()
    await stop('run')
    expect(asked).toEqual([false])
    process.begin(message.id)
    expect(asked).toEqual([false, false])
    process.end('interrupted')
    await endOf(message.id)
    const next = await rig.send('two')
    await process.message(2)
    process.begin(next.id)
    expect(asked).toHaveLength(2)
  })

  it('that is repeated to a process that ends is no fault', async () => {
    const { message, process } = await beforeBegin()
    await stop('run')
    process.onInterrupt = () => Promise.reject(new Error('the process has ended'))
    process.begin(message.id)
    process.exit('it crashed')
    await endOf(message.id)
    expect(rig.faults).toEqual([])
  })

  it('is also for a message that goes into background work that runs', async () => {
    const { message, process, asked } = await beforeBegin()
    process.begin()
    await stop('run')
    process.handlers.onMessageState(message.id, 'started')
    expect(asked).toEqual([false, false])
  })

  it('leaves alone what was put into the turn that it ended', async () => {
    const { message, process, asked } = await beforeBegin()
    process.begin(message.id)
    const steered = await rig.send('two', { delivery: 'steer' })
    process.onInterrupt = async ({ cancelUnread }) => {
      asked.push(cancelUnread)
      return { unread: [steered.id] }
    }
    await stop('run')
    process.end('interrupted')
    process.begin(steered.id)
    expect(asked).toEqual([false])
  })

  it('is answered at once while the process starts', async () => {
    let fail = (_error: Error) => {}
    rig.agent.open = () =>
      new Promise((_resolve, reject) => {
        fail = reject
      })
    await rig.send('one')
    await rig.coordination.turns.hold((await rig.record()).id)
    await stop('hold')
    expect(await rig.coordination.turns.queued((await rig.record()).id)).toMatchObject([{ held: true }])
    fail(new Error('the test is over'))
  })
})

describe('a pause', () => {
  it('holds a process that is being started, and shows until it is taken back', async () => {
    const message = await rig.send('one')
    const runner = rig.manager.peek(message.session_id)
    // The process is there; that it is, is being stored.
    const { change } = rig.sessions
    let store = () => {}
    const storing = new Promise<void>((resolve) => {
      store = resolve
    })
    rig.sessions.change = async (...args) => {
      await storing
      return change(...args)
    }
    await rig.agent.process(1)
    await vi.waitFor(() => expect(runner?.live).toBe(true))
    await runner?.pause()
    store()
    await runner?.whenOpen()
    expect(runner?.state).toBe('paused')
    await runner?.resume()
    expect((await (await rig.agent.process(1)).message(1)).id).toBe(message.id)
  })

  it('that fails leaves what the session did meanwhile', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const runner = rig.manager.peek(first.session_id)
    const live = runner?.agent
    let refuse = () => {}
    if (live)
      live.pause = () =>
        new Promise((_resolve, reject) => {
          refuse = () => reject(new Error('not now'))
        })
    const pausing = runner?.pause()
    process.end()
    await endOf(first.id)
    refuse()
    await expect(pausing).rejects.toThrow('not now')
    expect(runner?.state).toBe('idle')
  })

  it('ends with a process that dies while it is being paused: what waits runs in the next', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const live = rig.manager.peek(first.session_id)?.agent
    let paused = () => {}
    if (live)
      live.pause = () =>
        new Promise((resolve) => {
          paused = resolve
        })
    const pausing = rig.manager.peek(first.session_id)?.pause()
    process.exit('it crashed')
    await endOf(first.id)
    paused()
    await pausing
    const second = await rig.send('two')
    expect((await (await rig.agent.process(2)).message(1)).id).toBe(second.id)
    expect(rig.manager.peek(first.session_id)?.state).not.toBe('paused')
  })

  it('that begins while another is being ended holds', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.run(first.id)
    await endOf(first.id)
    const runner = rig.manager.peek(first.session_id)
    await runner?.pause()
    const resuming = runner?.resume()
    const pausing = runner?.pause()
    await Promise.all([resuming, pausing])
    expect(runner?.state).toBe('paused')
    const second = await rig.send('two')
    expect(await rig.turn(second.id)).toMatchObject({ state: 'queued' })
    await runner?.resume()
    expect((await process.message(2)).id).toBe(second.id)
  })
})

describe('what nobody caused or allowed', () => {
  /** A process that has done what was said, and is idle. */
  async function idle() {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.run(message.id)
    await endOf(message.id)
    return process
  }
  const news = (task: string) => `<task-notification>\n<task-id>${task}</task-id>\n</task-notification>`

  it.each([
    ['something else', 'two'],
    ['the words of the last message', 'one'],
  ])(
    'a prompt of nobody does not reach the model and ends the process, and the session says why: %s',
    async (_, prompt) => {
      const process = await idle()
      process.begin()
      expect(process.handlers.onPrompt(prompt)).toContain('no one asked for')
      await rig.agent.until(() => process.isClosed)
      const stopped = await rig.next('turn_end', ({ reason_code }) => reason_code === 'not_allowed')
      expect(await rig.turn(stopped.turn_id)).toMatchObject({ cause: 'background', outcome: 'interrupted' })
      expect(rig.of('notice')).toMatchObject([{ code: 'session_stopped', message: stopped.reason }])
      expect(stopped.reason).toContain('schedule')
      // The next message is for a new process.
      const next = await rig.send('two')
      expect(await (await rig.agent.process(2)).message(1)).toMatchObject({ id: next.id })
    },
  )

  it('a turn without a prompt ends the process when the model answers', async () => {
    const process = await idle()
    process.begin()
    process.end()
    process.begin()
    expect(process.isClosed).toBe(false)
    await process.handlers.onMessage({ type: 'assistant', message: { role: 'assistant', content: [] } })
    await rig.agent.until(() => process.isClosed)
  })

  it('news of tasks that the agent began may wake it, of others not', async () => {
    const process = await idle()
    await process.handlers.onMessage({ type: 'system', subtype: 'task_started', task_id: 't' })
    for (const _ of ['an event of it', 'its end']) {
      process.begin()
      expect(process.handlers.onPrompt(news('t'))).toBeUndefined()
      await process.handlers.onMessage({ type: 'assistant', message: { role: 'assistant', content: [] } })
      process.end()
    }
    expect(process.isClosed).toBe(false)
    process.begin()
    expect(process.handlers.onPrompt(news('other'))).toBeDefined()
    await rig.agent.until(() => process.isClosed)
  })

  it('a prompt of nobody while the CLI starts keeps the process from being used', async () => {
    rig.agent.prompt = 'BY ITSELF'
    const end = await endOf((await rig.send('one')).id)
    expect(end).toMatchObject({ outcome: 'failed', reason_code: 'not_started' })
    expect(end.reason).toContain('no one asked for')
    const process = await rig.agent.process(1)
    expect([process.isClosed, process.sent]).toEqual([true, []])
  })

  it('a plugin in what the CLI says it loaded ends the process', async () => {
    const process = await idle()
    const init = { type: 'system', subtype: 'init', plugins: [{ source: 'loud@market', path: '/p' }] }
    await process.handlers.onMessage(init)
    await rig.agent.until(() => process.isClosed)
    const { message } = await rig.next('notice', ({ code }) => code === 'session_stopped')
    expect(message).toContain('loud@market (/p)')
  })

  it.each<[string, FakeLoaded, string]>([
    ['a hook', { hooks: [{ event: 'Stop', source: 'userSettings' }] }, 'Stop (userSettings)'],
    ['the switch for hooks turned off', { policy: { allDisabled: false } }, 'disableAllHooks'],
    [
      'a policy that cannot be read',
      { policy: { policyUnreadable: true } },
      'can’t read this machine’s policy',
    ],
    [
      'more hooks of a policy',
      { policy: { policyHookCount: 1 } },
      '1 hooks from this machine’s policy, but 0',
    ],
    ['a hook of a policy', { byPolicy: { hooks: { Stop: [{ hooks: [{}] }] } } }, 'Stop (a policy)'],
    ['rules that do not count', { effective: { allowManagedPermissionRulesOnly: true } }, 'permissions.deny'],
    ['a plugin of a policy', { byPolicy: { enabledPlugins: { 'loud@m': true } } }, 'loud@m'],
  ])('%s in what the CLI says it has ends it once settings have changed', async (_, loaded, reason) => {
    const process = await idle()
    rig.agent.loaded = loaded
    await process.handlers.onSettingsChanged()
    expect(process.isClosed).toBe(true)
    const { message } = await rig.next('notice', ({ code }) => code === 'session_stopped')
    expect(message).toContain(reason)
  })

  it.each<[string, FakeLoaded, string]>([
    ['a hook', { hooks: [{ event: 'Stop', source: 'userSettings' }] }, 'Stop (userSettings)'],
    ['the switch for hooks turned off', { policy: { allDisabled: false } }, 'disableAllHooks'],
    ['a plugin', { effective: { enabledPlugins: { 'loud@m': true } } }, 'loud@m'],
  ])('%s in what the CLI says it has keeps it from starting', async (_, loaded, reason) => {
    rig.agent.loaded = loaded
    const end = await endOf((await rig.send('one')).id)
    expect(end).toMatchObject({ outcome: 'failed', reason_code: 'not_started' })
    expect(end.reason).toContain(reason)
    const process = await rig.agent.process(1)
    expect([process.isClosed, process.sent]).toEqual([true, []])
  })

  it('a plugin that a file turns on while it runs is for the next process', async () => {
    const process = await idle()
    rig.agent.loaded = { effective: { enabledPlugins: { 'loud@m': true } } }
    await process.handlers.onSettingsChanged()
    expect(process.isClosed).toBe(false)
    rig.agent.loaded = {}
    await rig.send('two')
    await rig.agent.process(2)
    expect(process.isClosed).toBe(true)
  })
})
