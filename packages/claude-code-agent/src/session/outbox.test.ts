import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InvalidOptionsError } from '../errors.ts'
import { Outbox } from './outbox.ts'

const uuid = '3fed43ec-5170-44ee-b476-f97131ba8614'

describe('Outbox', () => {
  let written: Record<string, unknown>[]
  let changes: number
  let write: (message: Record<string, unknown>) => Promise<void>
  let ready: () => Promise<unknown> | undefined
  let cancel: (wireUuid: string) => Promise<boolean>
  let warnings: string[]
  let reports: string[]
  let outbox: Outbox

  beforeEach(() => {
    written = []
    changes = 0
    write = async (message) => void written.push(message)
    ready = () => undefined
    cancel = () => Promise.reject(new Error('not asked for'))
    warnings = []
    reports = []
    outbox = new Outbox({
      write: (message) => write(message),
      cancel: (wireUuid) => cancel(wireUuid),
      changed: () => changes++,
      report: (id, state) => reports.push(`${id === uuid ? 'it' : id} ${state}`),
      ready: () => ready(),
      warn: (warning) => warnings.push(warning),
    })
  })

  const states = () => outbox.list().map(({ state }) => state)
  const report = (state: string, commandUuid: unknown = uuid) =>
    outbox.observe({ type: 'command_lifecycle', command_uuid: commandUuid, state })

  describe('sending', () => {
    it('writes a user message with an id, and says which', async () => {
      const sent = await outbox.send('hi', {})
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
      await outbox.send(content, { uuid, priority: 'now' })
      expect(written).toMatchObject([{ uuid, priority: 'now', message: { content } }])
    })

    it('forwards a message of the CLI’s own form with all its fields', async () => {
      const message = { role: 'user', content: 'hi' }
      await outbox.forward({
        type: 'user',
        message,
        uuid,
        priority: 'later',
        client_composed: true,
        session_id: 's',
      })
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
      await expect(outbox.send(content, {})).rejects.toThrow(InvalidOptionsError)
      expect(written).toEqual([])
    })

    it('refuses an id that was used, which the CLI would ignore without a word', async () => {
      expect(outbox.used).toBe(false)
      await outbox.send('one', { uuid })
      await expect(outbox.send('two', { uuid })).rejects.toThrow(InvalidOptionsError)
      report('completed')
      await expect(outbox.send('two', { uuid })).rejects.toThrow(InvalidOptionsError)
      expect(outbox.used).toBe(true)
      expect(written).toHaveLength(1)
    })

    it('keeps the order while a message has to wait', async () => {
      let release: (() => void) | undefined
      ready = () => {
        ready = () => undefined
        return new Promise<void>((resolve) => {
          release = resolve
        })
      }
      const first = outbox.send('one', {})
      const second = outbox.send('two', {})
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
      await expect(outbox.send('one', {})).rejects.toThrow('closed')
      expect(outbox.open).toBe(0)
      write = async (message) => void written.push(message)
      await outbox.send('two', {})
      expect(written).toHaveLength(1)
    })
  })

  describe('following', () => {
    it('a message through the CLI', async () => {
      await outbox.send('one', { uuid })
      const before = changes
      report('queued')
      expect(states()).toEqual(['queued'])
      report('started')
      expect(states()).toEqual(['started'])
      expect(outbox.open).toBe(1)
      report('completed')
      expect(outbox.open).toBe(0)
      expect(changes).toBeGreaterThan(before)
    })

    it('one that was cancelled', async () => {
      await outbox.send('one', { uuid })
      report('cancelled')
      expect(outbox.list()).toEqual([])
    })

    it('ignores reports on what it does not know', async () => {
      await outbox.send('one', { uuid })
      report('completed', 'another')
      report('something new')
      outbox.observe({ type: 'assistant' })
      expect(states()).toEqual(['sent'])
    })

    it('where the CLI does not report, a turn begins with what was sent, and its result ends that', async () => {
      await outbox.send('one', {})
      outbox.observe({ type: 'system', subtype: 'init' })
      await outbox.hold()
      await outbox.send('two', {})
      outbox.observe({ type: 'result' })
      expect(states()).toEqual(['held'])
    })

    it('a result before the first turn, of a CLI that may report or not, ends nothing', async () => {
      await outbox.send('one', { uuid })
      outbox.observe({ type: 'result' })
      expect(states()).toEqual(['sent'])
      report('started')
      report('completed')
      expect(reports).toEqual(['it started', 'it completed'])
    })

    it('where it does, a result ends nothing', async () => {
      await outbox.send('one', { uuid })
      report('queued')
      outbox.observe({ type: 'result' })
      expect(states()).toEqual(['queued'])
    })

    it('where it says that it will, a turn that it begins by itself neither begins nor ends what was sent', async () => {
      await outbox.send('one', { uuid })
      outbox.observe({ type: 'system', subtype: 'init', capabilities: ['msg_lifecycle_v1'] })
      outbox.observe({ type: 'result' })
      expect(states()).toEqual(['sent'])
      expect(reports).toEqual([])
    })

    it('an idle agent is done with what it began, not with what it has or what is on its way', async () => {
      await outbox.send('one', { uuid })
      const { uuid: second } = await outbox.send('two', {})
      await outbox.send('three', {})
      report('started')
      report('queued', second)
      outbox.agentIsIdle()
      expect(outbox.list()).toMatchObject([
        { content: 'two', state: 'queued' },
        { content: 'three', state: 'sent' },
      ])
      report('started', second)
      expect(reports.slice(-1)).toEqual([`${second} started`])
      outbox.clear()
    })

    it('no report brings a message back to where it was before', async () => {
      await outbox.send('one', { uuid })
      for (const state of ['started', 'queued', 'started']) report(state)
      expect(states()).toEqual(['started'])
      expect(reports).toEqual(['it started'])
    })
  })

  describe('reports', () => {
    it('each stage of a message once', async () => {
      await outbox.send('one', { uuid })
      expect(reports).toEqual([])
      for (const state of ['queued', 'queued', 'started', 'completed', 'completed']) report(state)
      expect(reports).toEqual(['it queued', 'it started', 'it completed'])
    })

    it('the end of what is taken back, held or not, and of what cannot be written', async () => {
      const { uuid: first } = await outbox.send('one', {})
      cancel = async () => true
      await outbox.withdraw(first)
      await outbox.hold()
      const { uuid: second } = await outbox.send('two', {})
      const { uuid: third } = await outbox.send('three', {})
      await outbox.withdraw(second)
      outbox.dropHeld()
      await outbox.release()
      write = async () => {
        throw new Error('gone')
      }
      await expect(outbox.send('four', { uuid })).rejects.toThrow('gone')
      expect(reports).toEqual([
        `${first} cancelled`,
        `${second} cancelled`,
        `${third} cancelled`,
        'it cancelled',
      ])
    })

    it('nothing of a message that is called back for a pause', async () => {
      await outbox.send('one', { uuid })
      report('queued')
      cancel = async (wireUuid) => {
        report('cancelled', wireUuid)
        return true
      }
      await outbox.hold()
      await outbox.release()
      const again = written[1]?.uuid
      report('queued', again)
      report('started', again)
      expect(reports).toEqual(['it queued', 'it started'])
    })

    it('what an idle agent said no more of as completed', async () => {
      await outbox.send('one', { uuid })
      report('started')
      outbox.agentIsIdle()
      expect(reports).toEqual(['it started', 'it completed'])
    })

    it('what a turn begins and ends with where the CLI says nothing', async () => {
      await outbox.send('one', { uuid })
      outbox.observe({ type: 'system', subtype: 'init' })
      outbox.observe({ type: 'result' })
      expect(reports).toEqual(['it started', 'it completed'])
    })
  })

  describe('a message that an idle CLI does not begin on', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('counts as ignored after a while, with a warning', async () => {
      await outbox.send('known', { uuid })
      report('completed')
      const { uuid: ignored } = await outbox.send('two', {})
      outbox.agentIsIdle()
      await vi.advanceTimersByTimeAsync(14_000)
      expect(states()).toEqual(['sent'])
      outbox.agentIsBusy()
      await vi.advanceTimersByTimeAsync(14_000)
      expect(states()).toEqual(['sent'])
      outbox.agentIsIdle()
      await vi.advanceTimersByTimeAsync(16_000)
      expect(outbox.list()).toEqual([])
      expect(warnings.join()).toContain(ignored)
      expect(reports.at(-1)).toBe(`${ignored} ignored`)
    })

    it('so does one that was sent when it was idle already, and one that it said it has', async () => {
      await outbox.send('known', { uuid })
      report('completed')
      outbox.agentIsIdle()
      const { uuid: second } = await outbox.send('two', {})
      const { uuid: third } = await outbox.send('three', {})
      report('queued', third)
      await vi.advanceTimersByTimeAsync(16_000)
      expect(outbox.list()).toEqual([])
      expect(reports.slice(-2)).toEqual([`${second} ignored`, `${third} ignored`])
    })
  })

  describe('taking back', () => {
    it('what the CLI gives up', async () => {
      await outbox.send('one', { uuid })
      report('queued')
      cancel = async (wireUuid) => {
        report('cancelled', wireUuid)
        return true
      }
      expect(await outbox.withdraw(uuid)).toBe(true)
      expect(outbox.list()).toEqual([])
      expect(await outbox.withdraw(uuid)).toBe(false)
    })

    it('goes by the report that follows a no, which is not the last word', async () => {
      await outbox.send('one', { uuid })
      cancel = async () => false
      const dropped = outbox.withdraw(uuid)
      await Promise.resolve()
      report('queued')
      report('cancelled')
      expect(await dropped).toBe(true)

      const { uuid: other } = await outbox.send('two', {})
      const kept = outbox.withdraw(other)
      await Promise.resolve()
      report('started', other)
      expect(await kept).toBe(false)
      expect(states()).toEqual(['started'])
    })

    it('is too late for what the agent works on, and over when the session ends', async () => {
      await outbox.send('one', { uuid })
      report('started')
      expect(await outbox.withdraw(uuid)).toBe(false)
      const { uuid: other } = await outbox.send('two', {})
      cancel = async () => false
      const open = outbox.withdraw(other)
      await new Promise((resolve) => setImmediate(resolve))
      outbox.clear()
      expect(await open).toBe(false)
    })
  })

  describe('holding', () => {
    const said = () => written.map(({ message }) => (message as { content: string }).content)

    it('keeps messages back, and sends them in order ahead of later ones', async () => {
      await outbox.hold()
      await outbox.send('one', {})
      await outbox.send('two', {})
      expect(written).toEqual([])
      expect([outbox.open, outbox.held]).toEqual([0, 2])
      const released = outbox.release()
      await outbox.send('three', {})
      await released
      expect(said()).toEqual(['one', 'two', 'three'])
      expect([outbox.open, outbox.held]).toEqual([3, 0])
    })

    it('drops what is held, and nothing that is sent', async () => {
      await outbox.send('sent', {})
      await outbox.hold()
      const { uuid: held } = await outbox.send('held', {})
      expect(outbox.dropHeld()).toEqual([held])
      expect(outbox.list()).toMatchObject([{ content: 'sent' }])
    })

    it('calls back what waits in the CLI, and sends it again under a new id', async () => {
      await outbox.send('one', { uuid })
      report('queued')
      cancel = async (wireUuid) => {
        report('cancelled', wireUuid)
        return true
      }
      await outbox.hold()
      expect(outbox.list()).toMatchObject([{ uuid, state: 'held' }])
      await outbox.release()
      const wireUuid = String(written[1]?.uuid)
      expect(wireUuid).not.toBe(uuid)
      expect(outbox.idOf(wireUuid)).toBe(uuid)
      report('completed', wireUuid)
      expect(outbox.list()).toEqual([])
      expect(outbox.idOf(wireUuid)).toBe(uuid)
    })

    it('calls back what was on its way as soon as the CLI has it', async () => {
      await outbox.send('one', { uuid })
      cancel = async () => true
      await outbox.hold()
      expect(states()).toEqual(['sent'])
      report('queued')
      await new Promise((resolve) => setImmediate(resolve))
      expect(states()).toEqual(['held'])
    })

    it('leaves what the agent would not give back, and what it works on', async () => {
      await outbox.send('one', { uuid })
      report('queued')
      cancel = async () => {
        report('started')
        return false
      }
      await outbox.hold()
      expect(states()).toEqual(['started'])
    })

    it('a message that is given up only after the pause goes out again at once', async () => {
      await outbox.send('one', { uuid })
      report('queued')
      let giveUp: (answer: boolean) => void = () => {}
      cancel = () =>
        new Promise((resolve) => {
          giveUp = resolve
        })
      const holding = outbox.hold()
      await outbox.release()
      giveUp(true)
      await holding
      expect(said()).toEqual(['one', 'one'])
      expect(states()).toEqual(['sent'])
    })

    describe('while the CLI has not answered yet', () => {
      let answer: (isGivenUp: boolean) => void = () => {}
      beforeEach(async () => {
        await outbox.send('one', { uuid })
        report('queued')
        cancel = () =>
          new Promise((resolve) => {
            answer = resolve
          })
      })

      it.each(['answer', 'report'])('pauses that follow each other send it once more (%s)', async (by) => {
        const holding = [outbox.hold()]
        await outbox.release()
        holding.push(outbox.hold())
        await outbox.release()
        if (by === 'report') report('cancelled')
        answer(true)
        await Promise.all(holding)
        expect(said()).toEqual(['one', 'one'])
        expect(states()).toEqual(['sent'])
      })

      it('a second pause keeps what the first one called back', async () => {
        const holding = [outbox.hold()]
        await outbox.release()
        holding.push(outbox.hold())
        answer(true)
        await Promise.all(holding)
        expect(said()).toEqual(['one'])
        expect(states()).toEqual(['held'])
      })

      it.each([
        ['by its id', () => outbox.withdraw(uuid)],
        ['with all that is held', async () => outbox.dropHeld().length === 0],
      ])('one that is taken back %s does not go out again', async (_how, takeBack) => {
        const holding = outbox.hold()
        const taken = takeBack()
        await outbox.release()
        answer(true)
        await holding
        expect(await taken).toBe(true)
        expect(said()).toEqual(['one'])
        expect(outbox.list()).toEqual([])
        expect(reports.at(-1)).toBe('it cancelled')
      })
    })
  })
})
