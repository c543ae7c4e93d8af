/** Figures and limits: what a turn cost, and what ends one. */
import { randomUUID } from 'node:crypto'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'

const ledger = ['packages/server/src/core/costs/ledger-rows.ts']
const verdict = ['packages/claude-code-agent/src/session/verdict.ts']
const cents = (usd: number): number => Math.round(usd * 1e6)

export const costCases: ContractCase[] = [
  {
    id: 'costs/cumulative',
    title: '`total_cost_usd` and `modelUsage` grow over a process, and go on after a resume',
    reliedOnBy: ledger,
    expected: { grows: true, sameFigure: true, goesOn: true, figures: [] },
    async observe(rig) {
      const id = randomUUID()
      const cli = await rig.start({ args: [`--session-id=${id}`] })
      const first = await cli.turn('one')
      const second = await cli.turn('two')
      await cli.end()
      const resumed = await rig.start({ args: [`--resume=${id}`] })
      const third = await resumed.turn('three')
      const [figures = {}] = Object.values<Frame>(second.modelUsage)
      const names = [
        'costUSD',
        'inputTokens',
        'outputTokens',
        'cacheReadInputTokens',
        'cacheCreationInputTokens',
      ]
      return {
        grows: second.total_cost_usd > first.total_cost_usd && first.total_cost_usd > 0,
        sameFigure: cents(figures.costUSD) === cents(second.total_cost_usd),
        goesOn: third.total_cost_usd > second.total_cost_usd,
        figures: names.filter((name) => typeof figures[name] !== 'number'),
      }
    },
  },
  {
    id: 'costs/since-last-result',
    title: '`model_usage_since_last_result` has the figures of one turn alone',
    reliedOnBy: ledger,
    since: { version: '2.1.314', withoutIt: 'The turn is then the difference of two `modelUsage`.' },
    expected: { isDifference: true },
    async observe(rig) {
      const cli = await rig.start()
      const first = await cli.turn('one')
      const second = await cli.turn('two')
      const [since] = Object.values<Frame>(second.model_usage_since_last_result)
      return {
        isDifference: cents(since?.costUSD) === cents(second.total_cost_usd) - cents(first.total_cost_usd),
      }
    },
  },
  {
    id: 'costs/usage-in-a-turn',
    title: '`get_usage` gives the figures of calls that ended in a turn that still runs',
    reliedOnBy: ['packages/server/src/core/costs/process-meter.ts'],
    expected: { costs: true, byModel: true },
    async observe(rig) {
      const cli = await rig.start({ permit: () => undefined })
      rig.script(toolUse('Bash', { command: 'touch x' }))
      cli.say('go')
      await cli.request('can_use_tool')
      const { session } = (await cli.ask('get_usage')).response
      return {
        costs: session?.total_cost_usd > 0,
        byModel: Object.keys(session?.model_usage ?? session?.modelUsage ?? {}).length > 0,
      }
    },
  },
  {
    id: 'limits/turns',
    title:
      '`--max-turns` counts model calls of one message, and ends it as `error_max_turns`; the next has as many',
    reliedOnBy: ['packages/claude-code-agent/src/launch/arguments.ts', ...verdict],
    expected: { subtype: 'error_max_turns', reason: 'max_turns', next: 'success' },
    async observe(rig) {
      const cli = await rig.start({ args: ['--max-turns=1'] })
      rig.script(toolUse('Bash', { command: 'true' }), 'never')
      const { subtype, terminal_reason: reason } = await cli.turn('go')
      rig.script('done')
      return { subtype, reason, next: (await cli.turn('next')).subtype }
    },
  },
  {
    id: 'limits/budget',
    title: '`--max-budget-usd` ends a turn after the call that passed it, and every later one without a call',
    reliedOnBy: ['packages/claude-code-agent/src/launch/arguments.ts', ...verdict],
    expected: {
      subtype: 'error_max_budget_usd',
      reason: 'budget_exhausted',
      next: 'error_max_budget_usd',
      calls: 1,
    },
    async observe(rig) {
      const cli = await rig.start({ args: ['--max-budget-usd=0.000001'] })
      rig.script(toolUse('Bash', { command: 'true' }), 'never')
      const { subtype, terminal_reason: reason } = await cli.turn('go')
      const next = (await cli.turn('next')).subtype
      return { subtype, reason, next, calls: rig.asked.length }
    },
  },
]
