import { beforeEach, describe, expect, it } from 'vitest'
import { InvalidOptionsError } from '../errors.ts'
import { Outbox } from './outbox.ts'

const uuid = '3fed43ec-5170-44ee-b476-f97131ba8614'

describe('Outbox', () => {
  let written: Record<string, unknown>[]
  let changes: number
  let write: (message: Record<string, unknown>) => Promise<void>
  let ready: () => Promise<unknown> | undefined
  let outbox: Outbox

  beforeEach(() => {
    written = []
    changes = 0
    write = async (message) => void written.push(message)
    ready = () => undefined
    outbox = new Outbox({
      write: (message) => write(message),
      changed: () => changes++,
      ready: () => ready(),
    })
  })

  const states = () => outbox.list().map(({ state }) => state)
  const report = (state: string, commandUuid: unknown = uuid) =>
    outbox.observe({ type: 'command_lifecycle', command_uuid: commandUuid, state })

  describe('sending', () => {
    it('writes a user message with an id, and says which', async () => {
      const sent = await outbox.send('hi', {}, false)
      expect(written).toEqual([
        {
          type: 'user',
          session_id: '',
          message: { role: 'user', content: 'hi' },
          parent_tool_use_id: null,
          uuid: sent.uuid,
        },
      ])
      expect(outbox.list()).toEqual([{ uuid: sent.uuid, content: 'hi', state: 'sent', priority: undefined }])
    })

    it('takes an id, a priority and blocks', async () => {
      const content = [{ type: 'text', text: 'hi' }]
      await outbox.send(content, { uuid, priority: 'now' }, false)
      expect(written).toMatchObject([{ uuid, priority: 'now', message: { content } }])
    })

    it('forwards a message of the CLI’s own form with all its fields', async () => {
      const message = { role: 'user', content: 'hi' }
      await outbox.forward(
        { type: 'user', message, uuid, priority: 'later', client_composed: true, session_id: 's' },
        false,
      )
      expect(written).toEqual([
        {
          type: 'user',
          session_id: 's',
          message,
          parent_tool_use_id: null,
          client_composed: true,
          uuid,
          priority: 'later',
        },
      ])
    })

    it.each(['', []])('refuses %j', async (content) => {
      await expect(outbox.send(content, {}, false)).rejects.toThrow(InvalidOptionsError)
      expect(written).toEqual([])
    })

    it('refuses an id that is on its way, and takes it again afterwards', async () => {
      await outbox.send('one', { uuid }, false)
      await expect(outbox.send('two', { uuid }, false)).rejects.toThrow(InvalidOptionsError)
      report('completed')
      await outbox.send('two', { uuid }, false)
      expect(written).toHaveLength(2)
    })

    it('keeps the order while a message has to wait', async () => {
      let release: (() => void) | undefined
      ready = () => {
        ready = () => undefined
        return new Promise<void>((resolve) => {
          release = resolve
        })
      }
      const first = outbox.send('one', {}, false)
      const second = outbox.send('two', {}, false)
      await Promise.resolve()
      await Promise.resolve()
      expect(written).toEqual([])
      release?.()
      await Promise.all([first, second])
      expect(written.map(({ message }) => (message as { content: string }).content)).toEqual(['one', 'two'])
    })

    it('a message that cannot be written is not on its way, and does not hold up the next', async () => {
      write = async () => {
        throw new Error('closed')
      }
      await expect(outbox.send('one', {}, false)).rejects.toThrow('closed')
      expect(outbox.open).toBe(0)
      write = async (message) => void written.push(message)
      await outbox.send('two', {}, false)
      expect(written).toHaveLength(1)
    })
  })

  describe('following', () => {
    it('a message through the CLI', async () => {
      await outbox.send('one', { uuid }, false)
      const before = changes
      report('queued')
      expect(states()).toEqual(['queued'])
      expect(outbox.queuedInCli(uuid)).toBe(uuid)
      report('started')
      expect(states()).toEqual(['started'])
      expect(outbox.queuedInCli(uuid)).toBeUndefined()
      expect(outbox.open).toBe(1)
      report('completed')
      expect(outbox.open).toBe(0)
      expect(changes).toBeGreaterThan(before)
    })

    it('one that was cancelled', async () => {
      await outbox.send('one', { uuid }, false)
      report('cancelled')
      expect(outbox.list()).toEqual([])
    })

    it('ignores reports on what it does not know', async () => {
      await outbox.send('one', { uuid }, false)
      report('completed', 'another')
      report('something new')
      outbox.observe({ type: 'assistant' })
      expect(states()).toEqual(['sent'])
    })

    it('where the CLI does not report, a result ends what was sent', async () => {
      await outbox.send('one', {}, false)
      await outbox.send('two', {}, true)
      outbox.observe({ type: 'result' })
      expect(states()).toEqual(['held'])
    })

    it('where it does, a result ends nothing', async () => {
      await outbox.send('one', { uuid }, false)
      report('queued')
      outbox.observe({ type: 'result' })
      expect(states()).toEqual(['queued'])
    })

    it('an idle agent is done with what it acknowledged, not with what is on its way', async () => {
      await outbox.send('one', { uuid }, false)
      await outbox.send('two', {}, false)
      report('started')
      outbox.agentIsIdle()
      expect(outbox.list()).toMatchObject([{ content: 'two', state: 'sent' }])
    })
  })

  describe('holding', () => {
    it('keeps messages back, in order, until they are released', async () => {
      await outbox.send('one', {}, true)
      await outbox.send('two', {}, true)
      expect(written).toEqual([])
      expect([outbox.open, outbox.held]).toEqual([0, 2])
      await outbox.releaseHeld()
      expect(written.map(({ message }) => (message as { content: string }).content)).toEqual(['one', 'two'])
      expect([outbox.open, outbox.held]).toEqual([2, 0])
    })

    it('drops one that is held, and none that is sent', async () => {
      const held = await outbox.send('one', {}, true)
      const sent = await outbox.send('two', {}, false)
      expect(outbox.dropHeld(held.uuid)).toBe(true)
      expect(outbox.dropHeld(sent.uuid)).toBe(false)
      expect(outbox.dropHeld('unknown')).toBe(false)
      expect(outbox.list()).toMatchObject([{ content: 'two' }])
    })

    it('recalls what waits in the CLI, and sends it again under a new id', async () => {
      await outbox.send('one', { uuid }, false)
      report('queued')
      const asked: string[] = []
      await outbox.recallQueued(async (wireUuid) => {
        asked.push(wireUuid)
        report('cancelled')
        return true
      })
      expect(asked).toEqual([uuid])
      expect(outbox.list()).toMatchObject([{ uuid, state: 'held' }])
      await outbox.releaseHeld()
      const wireUuid = written[1]?.uuid
      expect(wireUuid).not.toBe(uuid)
      expect(outbox.queuedInCli(uuid)).toBe(wireUuid)
      report('completed', wireUuid)
      expect(outbox.list()).toEqual([])
    })

    it('leaves what the agent would not give back, and what it works on', async () => {
      await outbox.send('one', { uuid }, false)
      report('queued')
      await outbox.recallQueued(async () => false)
      expect(states()).toEqual(['started'])
      report('completed')
      expect(outbox.list()).toEqual([])
      await outbox.send('two', { uuid }, false)
      report('started')
      await outbox.recallQueued(() => Promise.reject(new Error('not asked')))
      expect(states()).toEqual(['started'])
    })
  })

  it('clears', async () => {
    await outbox.send('one', {}, false)
    await outbox.send('two', {}, true)
    outbox.clear()
    expect([outbox.open, outbox.held, outbox.list()]).toEqual([0, 0, []])
  })
})
