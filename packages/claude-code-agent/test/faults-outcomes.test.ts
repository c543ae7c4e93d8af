import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { query, ResultError } from '../src/index.ts'
import { collect, nextTurn, recordStates, textOf, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'

describe('background work', () => {
  const scenario = [
    steps.say('started'),
    steps.background({ ms: 600, description: 'the build', steps: [steps.say('the build is done')] }),
  ]

  it('is waited for by a one-shot session, and the turn it starts is delivered', async () => {
    await using fake = startFakeAgent(scenario)
    const session = await fake.start()
    const reading = collect(session.messages())
    await nextTurn(session)
    expect(session.getState().backgroundTasks).toBe(1)
    const messages = await reading
    expect(textOf(messages)).toBe('startedthe build is done')
    expect(messages.filter((message) => message.type === 'result')).toHaveLength(2)
    expect(session.getState()).toMatchObject({ state: 'completed', backgroundTasks: 0 })
  })

  it('wakes a session that is kept alive', async () => {
    await using fake = startFakeAgent(scenario)
    const session = await fake.start({ keepAlive: true })
    await nextTurn(session)
    await untilState(session, 'idle')
    const states = recordStates(session)
    expect(await nextTurn(session)).toBe('completed')
    await untilState(session, 'idle')
    expect(states).toEqual(['idle', 'running', 'idle'])
    await session.close()
    expect(session.getState().state).toBe('completed')
  })

  it('is ended by cancel()', async () => {
    await using fake = startFakeAgent([steps.say('x'), steps.background({ ms: 60_000 })])
    const session = await fake.start()
    await nextTurn(session)
    await session.cancel()
    expect(session.getState().state).toBe('cancelled')
  })
})

describe('result', () => {
  it.each([
    ['success that is an error', { is_error: true, result: 'API Error: 400' }, 'failed'],
    ['an error', { subtype: 'error_during_execution', is_error: true, errors: ['it broke'] }, 'failed'],
    ['an exhausted budget', { subtype: 'error_max_budget_usd', is_error: true }, 'budget'],
    [
      'too many turns',
      { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' },
      'max_turns',
    ],
    ['an unknown subtype', { subtype: 'error_of_tomorrow' }, 'failed'],
    [
      'an abort',
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' },
      'interrupted',
    ],
    ['an abort that is a success', { terminal_reason: 'aborted_streaming' }, 'interrupted'],
  ])('%s has its own outcome; only a failed turn fails a one-shot session', async (_, fields, outcome) => {
    await using fake = startFakeAgent([steps.say('x'), steps.result(fields)])
    const session = await fake.start()
    const errors: Error[] = []
    session.on('error', (error) => errors.push(error))
    const results: string[] = []
    const reading = (async () => {
      for await (const message of session.messages())
        if (message.type === 'result') results.push(message.outcome)
    })().catch((error: unknown) => error)
    const completion = await session.waitForCompletion().catch((error: unknown) => error)
    const thrown = await reading
    expect(results).toEqual([outcome])
    expect(session.getState().lastOutcome).toBe(outcome)
    if (outcome === 'failed') {
      expect(completion).toBeInstanceOf(ResultError)
      expect(errors).toEqual([completion])
      expect(thrown).toBe(completion)
      expect(session.getState().state).toBe('failed')
    } else {
      expect(completion).toMatchObject({ state: 'completed', outcome, error: undefined })
      expect(errors).toEqual([])
      expect(thrown).toBeUndefined()
    }
  })

  it('a failed turn leaves a session that is kept alive usable', async () => {
    await using fake = startFakeAgent({ turns: [[steps.result({ is_error: true })], [steps.say('better')]] })
    const session = await fake.start({ keepAlive: true })
    expect(await nextTurn(session)).toBe('failed')
    await untilState(session, 'idle')
    const ended = nextTurn(session)
    await session.send('again')
    expect(await ended).toBe('completed')
    await session.close()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed', outcome: 'completed' })
  })

  it('query() delivers an error result, then throws it; an interrupted one ends quietly', async () => {
    const run = async (fields: Record<string, unknown>) => {
      await using fake = startFakeAgent([steps.result(fields)])
      const types: string[] = []
      const stream = query({ prompt: 'go', options: { pathToClaudeCodeExecutable: fake.cli.path } })
      const error = await (async () => {
        for await (const message of stream) types.push(message.type)
      })().catch((reason: unknown) => reason)
      return { error, last: types.at(-1) }
    }
    const failed = await run({ is_error: true, result: 'API Error: 400' })
    expect(failed.error).toBeInstanceOf(ResultError)
    expect(failed.last).toBe('result')
    const aborted = await run({ subtype: 'error_during_execution', terminal_reason: 'aborted_tools' })
    expect(aborted.error).toBeUndefined()
  })
})
