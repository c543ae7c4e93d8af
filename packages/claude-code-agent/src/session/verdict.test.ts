import { describe, expect, it } from 'vitest'
import { CLIExitError, ResultError, SessionNotFoundError } from '../errors.ts'
import type { ResultMessage } from './messages.ts'
import { type Circumstances, verdictOf } from './verdict.ts'

const result = (content: string): ResultMessage => ({
  type: 'result',
  outcome: 'failed',
  content,
  structuredOutput: undefined,
  stats: { durationMs: 0, apiDurationMs: 0, modelTurns: 0, totalCostUsd: 0, usage: {} },
  raw: { type: 'result', subtype: 'error_during_execution', errors: [content] },
})
const verdict = (circumstances: Partial<Circumstances>) =>
  verdictOf({
    sessionId: 's',
    requested: undefined,
    exit: { exitCode: 0, signal: null, stderrTail: '' },
    lastResult: undefined,
    initialized: true,
    busy: false,
    ...circumstances,
  })

describe('how a session ended', () => {
  it('as it was asked to, however the process exits', () => {
    for (const state of ['completed', 'cancelled'] as const)
      for (const exitCode of [0, 1, 143])
        expect(
          verdict({ requested: { state }, busy: true, exit: { exitCode, signal: null, stderrTail: '' } }),
        ).toEqual({ state })
  })

  it('by itself, in good order', () => {
    expect(verdict({})).toEqual({ state: 'completed' })
  })

  it('with a failed turn: the error has the result', () => {
    const { state, error } = verdict({ requested: { state: 'failed' }, lastResult: result('It broke.') })
    expect(state).toBe('failed')
    expect(error).toBeInstanceOf(ResultError)
    expect(error).toMatchObject({ result: { errors: ['It broke.'] } })
  })

  it('with an error of ours: that one', () => {
    const error = new Error('ours')
    const requested = { state: 'failed', error } as const
    expect(verdict({ requested, lastResult: result('x') })).toEqual({ state: 'failed', error })
  })

  it.each<[string, Partial<Circumstances>, string]>([
    ['a crash', { exit: { exitCode: 1, signal: null, stderrTail: 'boom' } }, 'exited with code 1'],
    ['a signal', { exit: { exitCode: null, signal: 'SIGKILL', stderrTail: '' } }, 'ended by SIGKILL'],
    ['an exit in the middle of a turn', { busy: true }, 'exited with code 0'],
    ['an exit before it was ready', { initialized: false }, 'during its start'],
  ])('%s', (_, circumstances, message) => {
    const { state, error } = verdict({ ...circumstances, lastResult: result('last words') })
    expect(state).toBe('failed')
    expect(error).toBeInstanceOf(CLIExitError)
    expect(error?.message).toContain(message)
    expect(error).toMatchObject({ lastResult: { errors: ['last words'] } })
  })

  it('because there is no such session', () => {
    const said = result('No conversation found with session ID: s')
    const { state, error } = verdict({
      initialized: false,
      lastResult: said,
      exit: { exitCode: 1, signal: null, stderrTail: '' },
    })
    expect(state).toBe('failed')
    expect(error).toBeInstanceOf(SessionNotFoundError)
    expect(error).toMatchObject({ sessionId: 's' })
    // Said by the model in a session that runs, it means nothing.
    expect(verdict({ initialized: true, lastResult: said })).toEqual({ state: 'completed' })
  })
})
