import { expect, test } from 'vitest'
import { notStopping, reduceStop, type StopInput } from './stop-state.ts'

const after = (...inputs: StopInput[]) => inputs.reduce(reduceStop, notStopping)
const asked: StopInput = { type: 'asked', turnId: 'a' }

test('a stop ends when its turn does, whether or not another begins', () => {
  expect(after(asked, { type: 'turn', turnId: 'a' }).state).toBe('stopping')
  expect(after(asked, { type: 'turn', turnId: undefined })).toBe(notStopping)
  expect(after(asked, { type: 'turn', turnId: 'b' })).toBe(notStopping)
})

test('a turn that goes on is reported, and can be stopped again', () => {
  expect(after(asked, { type: 'timed_out' }).state).toBe('late')
  expect(after(asked, { type: 'timed_out' }, asked).state).toBe('stopping')
  expect(after(asked, { type: 'timed_out' }, { type: 'turn', turnId: undefined })).toBe(notStopping)
})

test('a stop that the server did not hear of is reported, unless the turn ended anyway', () => {
  expect(after(asked, { type: 'failed', fault: 'gone' })).toEqual({
    state: 'failed',
    turnId: 'a',
    fault: 'gone',
  })
  expect(after(asked, { type: 'turn', turnId: undefined }, { type: 'failed', fault: 'late' })).toBe(
    notStopping,
  )
  expect(after(asked, { type: 'failed', fault: 'gone' }, { type: 'timed_out' }).state).toBe('failed')
})
