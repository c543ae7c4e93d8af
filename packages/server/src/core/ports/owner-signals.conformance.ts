/** What every way to the owner of a session keeps to. */

import { randomUUID } from 'node:crypto'
import { say } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import type { LeaseOwner } from './coordination.ts'
import type { OwnerSignals } from './owner-signals.ts'

/** Two processes, as far as the adapter knows. */
export interface SignalsSubject {
  a: OwnerSignals
  b: OwnerSignals
  close(): Promise<void>
}

const newOwner = (): LeaseOwner => `node/${randomUUID()}`
const deadlineMs = 5000

export function ownerSignalsConformance(name: string, open: () => Promise<SignalsSubject>): void {
  describe(`${name}: owner signals`, () => {
    let subject: SignalsSubject
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(() => subject.close())

    it('brings a request to its owner, and the answer back, as JSON', async () => {
      const { a, b } = subject
      const owner = newOwner()
      const heard: unknown[] = []
      const stop = await b.serve(owner, async (request) => {
        heard.push(request)
        return { at: new Date(0), left: undefined, list: [1, 'two', null] }
      })
      const request = { call: 'stop', args: ['x', { deep: [true] }], gone: undefined }
      expect(await a.ask(owner, request, deadlineMs)).toEqual({
        at: '1970-01-01T00:00:00.000Z',
        list: [1, 'two', null],
      })
      expect(heard).toEqual([{ call: 'stop', args: ['x', { deep: [true] }] }])
      stop()
    })

    it('asks several owners at once, also itself, and mixes nothing up', async () => {
      const { a, b } = subject
      const owners = [newOwner(), newOwner(), newOwner()]
      const stops = await Promise.all(
        owners.map((owner, at) => (at === 0 ? a : b).serve(owner, async (request) => [owner, request])),
      )
      const asked = Array.from({ length: 60 }, (_, number) => ({
        owner: owners[number % 3] as LeaseOwner,
        number,
      }))
      const answers = await Promise.all(asked.map(({ owner, number }) => a.ask(owner, number, deadlineMs)))
      expect(answers).toEqual(asked.map(({ owner, number }) => [owner, number]))
      for (const stop of stops) stop()
    })

    it('answers with nothing where there is nothing to say', async () => {
      const owner = newOwner()
      const stop = await subject.b.serve(owner, async () => undefined)
      expect(await subject.a.ask(owner, null, deadlineMs)).toBeUndefined()
      stop()
    })

    it('brings errors back: those for people as they are, others without what they say', async () => {
      const owner = newOwner()
      const errors = [
        new AppError('conflict', say('message_not_waiting'), { details: { id: 7 } }),
        new Error('secret of this process'),
      ]
      const stop = await subject.b.serve(owner, () => Promise.reject(errors.shift()))
      await expect(subject.a.ask(owner, 1, deadlineMs)).rejects.toMatchObject({
        name: 'AppError',
        code: 'conflict',
        message: 'This message is no longer queued.',
        details: { id: 7 },
      })
      const other = await subject.a.ask(owner, 2, deadlineMs).catch((error: unknown) => error)
      expect(other).toMatchObject({ name: 'AppError', code: 'internal' })
      expect(String(other)).not.toContain('secret')
      stop()
    })

    it('says so when nobody serves, any more or yet', async () => {
      const owner = newOwner()
      const ask = () => subject.a.ask(owner, 1, 200)
      await expect(ask()).rejects.toMatchObject({ name: 'OwnerUnreachableError' })
      const stop = await subject.b.serve(owner, async () => 1)
      expect(await ask()).toBe(1)
      stop()
      await expect(ask()).rejects.toMatchObject({ name: 'OwnerUnreachableError' })
    })

    it('gives up at the deadline; an answer that comes later is nobody’s', async () => {
      const owner = newOwner()
      const answers: ((value: unknown) => void)[] = []
      const stop = await subject.b.serve(owner, () => new Promise((resolve) => answers.push(resolve)))
      await expect(subject.a.ask(owner, 'slow', 50)).rejects.toMatchObject({ name: 'OwnerUnreachableError' })
      const second = subject.a.ask(owner, 'second', deadlineMs)
      await expect.poll(() => answers.length).toBe(2)
      answers[0]?.('late')
      answers[1]?.('in time')
      expect(await second).toBe('in time')
      stop()
    })
  })
}
