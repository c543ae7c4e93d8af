/** Turns: their states, and how they end. */
import { apiError, toolUse } from '@dorkos/testkit'
import { inAnswer, inTool } from '../busy-turns.ts'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { transcriptOf } from '../transcript-files.ts'

const machine = [
  'packages/claude-code-agent/src/session/state-machine.ts',
  'packages/claude-code-agent/src/session/reading.ts',
]
const verdict = ['packages/claude-code-agent/src/session/verdict.ts']

const states = (cli: Cli): string[] =>
  cli.all({ subtype: 'session_state_changed' }).map((frame) => frame.state)
export const turnCases: ContractCase[] = [
  {
    id: 'turns/order',
    title: 'A turn is running, `init`, answers, one result, then idle; `init` comes with every turn',
    reliedOnBy: machine,
    expected: { order: ['running', 'init', 'assistant', 'result', 'idle'], inits: 2 },
    async observe(rig) {
      const cli = await rig.start()
      await cli.turn('one')
      const kinds: Record<string, (frame: Frame) => boolean> = {
        running: (frame) => frame.state === 'running',
        init: (frame) => frame.subtype === 'init',
        assistant: (frame) => frame.type === 'assistant',
        result: (frame) => frame.type === 'result',
        idle: (frame) => frame.state === 'idle',
      }
      const order = cli.frames.flatMap((frame) => Object.keys(kinds).filter((kind) => kinds[kind]?.(frame)))
      await cli.turn('two')
      return { order, inits: cli.all({ subtype: 'init' }).length }
    },
  },
  {
    id: 'turns/requires-action',
    title: 'While a question is open the state is `requires_action`, then running again',
    reliedOnBy: machine,
    expected: { states: ['running', 'requires_action', 'running', 'idle'] },
    async observe(rig) {
      const cli = await rig.start()
      rig.script(toolUse('Bash', { command: 'touch x' }))
      await cli.turn('go')
      return { states: states(cli) }
    },
  },
  {
    id: 'turns/result',
    title: 'A result has what we read: how it ended, its cost, its usage by model, how long it took',
    reliedOnBy: ['packages/server/src/core/costs/ledger-rows.ts', ...verdict],
    expected: { missing: [], subtype: 'success', isError: false, reason: 'completed', text: 'done' },
    async observe(rig) {
      const result = await (await rig.start()).turn('go')
      const fields = [
        'duration_ms',
        'total_cost_usd',
        'usage',
        'modelUsage',
        'num_turns',
        'session_id',
        'uuid',
      ]
      return {
        missing: fields.filter((name) => result[name] === undefined),
        subtype: result.subtype,
        isError: result.is_error,
        reason: result.terminal_reason,
        text: result.result,
      }
    },
  },
  {
    id: 'turns/interrupt-answer',
    title: 'An interrupt of an answer ends the turn as `aborted_streaming`, and the next message is served',
    reliedOnBy: verdict,
    expected: {
      answer: { still_queued: [] },
      subtype: 'error_during_execution',
      reason: 'aborted_streaming',
      next: 'success',
    },
    async observe(rig) {
      const cli = await inAnswer(rig)
      const { response: answer } = await cli.ask('interrupt')
      const { subtype, terminal_reason: reason } = await cli.result()
      cli.say('next')
      return { answer, subtype, reason, next: (await cli.result(1)).subtype }
    },
  },
  {
    id: 'turns/interrupt-tool',
    title: 'An interrupt of a command ends it, and the turn as `aborted_tools`',
    reliedOnBy: verdict,
    expected: { reason: 'aborted_tools', ended: true },
    async observe(rig) {
      const cli = await inTool(rig)
      await cli.ask('interrupt')
      const { terminal_reason: reason } = await cli.result()
      await cli.state('idle')
      return { reason, ended: true }
    },
  },
  {
    id: 'turns/interrupt-idle',
    title: 'An interrupt of nothing succeeds, and the session goes on',
    reliedOnBy: verdict,
    expected: { answered: 'success', next: 'success' },
    async observe(rig) {
      const cli = await rig.start()
      await cli.turn('one')
      const { subtype: answered } = await cli.ask('interrupt')
      return { answered, next: (await cli.turn('two')).subtype }
    },
  },
  {
    id: 'turns/refused-budget',
    title: 'Status 402 ends the turn after one call, with our sentence, as a success that is an error',
    reliedOnBy: ['packages/server/src/model-gateway/answer-call.ts'],
    security: true,
    expected: { calls: 1, subtype: 'success', isError: true, reason: 'api_error', reported: true },
    async observe(rig) {
      const cli = await rig.start()
      rig.scriptBy(() => apiError(402, 'The budget is used up', { errorType: 'budget_exceeded' }))
      const result = await cli.turn('go')
      return {
        calls: rig.asked.length,
        subtype: result.subtype,
        isError: result.is_error,
        reason: result.terminal_reason,
        reported: result.result.includes('The budget is used up'),
      }
    },
  },
  {
    id: 'turns/retry',
    title:
      'A call that the model is too busy for is made again, and reported as `api_retry`; the transcript has an `api_error`. After three the model of `--fallback-model` is asked, which is reported as `model_fallback`',
    reliedOnBy: [
      'packages/server/src/core/event-map/map-system.ts',
      'packages/server/src/core/event-map/transcript-message.ts',
    ],
    expected: {
      calls: 2,
      reported: [529],
      result: 'success',
      kept: [{ status: 529, attempt: 1, missing: [] }],
      fallback: { asked: ['opus', 'opus', 'opus', 'sonnet'], told: ['string'] },
    },
    async observe(rig) {
      const busy = apiError(529, 'busy', { retryAfter: 0 })
      const cli = await rig.start()
      rig.script(busy, 'done')
      const result = await cli.turn('go')
      await cli.end()
      const calls = rig.asked.length
      const other = await rig.start({ args: ['--model=opus', '--fallback-model=sonnet'] })
      rig.script(busy, busy, busy, 'done')
      await other.turn('go')
      const kept = (await transcriptOf(rig, result.session_id)).filter(
        ({ subtype }) => subtype === 'api_error',
      )
      return {
        calls,
        reported: cli.all({ subtype: 'api_retry' }).map((frame) => frame.error_status),
        result: result.subtype,
        kept: kept.map(({ error, retryAttempt, ...entry }) => ({
          status: error?.status,
          attempt: retryAttempt,
          missing: ['maxRetries', 'retryInMs'].filter((name) => typeof entry[name] !== 'number'),
        })),
        fallback: {
          asked: rig.asked.slice(calls).map(({ body }) => /opus|sonnet/.exec(body.model)?.[0]),
          told: other.all({ subtype: 'model_fallback' }).map(({ content }) => typeof content),
        },
      }
    },
  },
]
