/** The CLI's figures, by the real CLI: what they mean decides whether the ledger is right. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Offline, realCliPath, reply, startOffline, text, toolUse } from '@dorkos/testkit'
import { ClaudeCodeAgent, type Session, type TurnEnd } from 'claude-code-agent'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore, type SqliteStore } from '../src/adapters/sqlite/open-sqlite-store.ts'
import { ownerPrincipal } from '../src/core/actor.ts'
import { Costs } from '../src/core/costs/costs.ts'
import type { CliMessage } from '../src/core/ports/agent.ts'
import { owner } from './support/actors.ts'
import { createFakeClock } from './support/fake-clock.ts'
import { silent } from './support/gateway-fixture.ts'

/** What every answer of the model is said to have used; the CLI's own prices make it the same sum of dollars each time. */
const usage = {
  input_tokens: 100_000,
  output_tokens: 5000,
  cache_creation_input_tokens: 1000,
  cache_read_input_tokens: 2000,
}
const perCall = { input: 100_000, output: 5000, cache_read: 2000, cache_write: 1000 }
const times = (calls: number) =>
  Object.fromEntries(Object.entries(perCall).map(([kind, tokens]) => [kind, tokens * calls]))

let folder: string
let store: SqliteStore
let costs: Costs
let offline: Offline
let agent: ClaudeCodeAgent
/** Called before each answer of the model, with its number. */
let beforeAnswer: (call: number) => Promise<void> | void
let calls: number
let budgets: Map<string, number>
let callsPerTurn: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dorkos-real-costs-'))
  const clock = createFakeClock()
  store = await openSqliteStore({ path: join(folder, 'dorkos.db'), clock, logger: silent })
  const config = { sessions: { budgetUsd: 1000 }, budgets: { dayUsd: 0, warnAt: 0.8 } }
  const { ledger } = store.records
  const { leases, runningCosts } = store.coordination
  budgets = new Map()
  const get = async (id: string) => ({ principal: ownerPrincipal, demo: false, budgetUsd: budgets.get(id) })
  const stores = { ledger, leases, runningCosts, sessions: { get } }
  costs = new Costs({ ...stores, owner: 'a/1', clock, logger: silent, config: () => config as never })
  beforeAnswer = () => {}
  calls = 0
  callsPerTurn = 2
  offline = await startOffline(
    async () => {
      const call = ++calls
      await beforeAnswer(call)
      const isLast = call % callsPerTurn === 0
      return reply([isLast ? text('done') : toolUse('Bash', { command: `echo ${call} > out.txt` })], {
        usage,
      })
    },
    { sandbox: true },
  )
  agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    env: offline.overlay,
    cwd: offline.cwd,
    permissionMode: 'bypassPermissions',
  })
})
afterEach(async () => {
  await agent.close()
  await offline.dispose()
  await store.close()
  await rm(folder, { recursive: true })
})

async function open(start: { resume?: string; fork?: boolean } = {}): Promise<Session> {
  const session = await agent.startSession({ keepAlive: true, ...start })
  await costs.openProcess({
    processId: `${session.pid}`,
    sessionId: session.id,
    epoch: 1,
    principal: ownerPrincipal,
    isNew: start.resume === undefined,
    demo: false,
    readUsage: () => session.control('get_usage'),
    emit: () => {},
  })
  return session
}

function recordOf(session: Session) {
  return { id: session.id, workspaceId: undefined, demo: false }
}

let turns = 0
async function turn(session: Session, prompt: string) {
  const ended = new Promise<TurnEnd>((resolve) => {
    const stop = session.on('turnEnd', (end) => {
      stop()
      resolve(end)
    })
  })
  await session.send(prompt)
  const result = (await ended).result.raw as CliMessage
  const booking = {
    record: recordOf(session),
    principal: ownerPrincipal,
    processId: `${session.pid}`,
    end: { result },
  }
  const cost = await costs.recordTurn({ ...booking, turnId: `turn ${++turns}` })
  return { cost, result }
}

describe('the figures of the real CLI', () => {
  it('add up over three turns, a resume and a fork', async () => {
    const first = await open()
    const { cost, result } = await turn(first, 'one')
    const perTurn = cost.turnEnd.usd ?? 0
    expect(perTurn).toBeGreaterThan(0.1)
    expect(perTurn).toBeCloseTo(result.total_cost_usd as number, 9)
    expect(cost.turnEnd.tokens).toEqual(times(2))
    for (const prompt of ['two', 'three']) {
      const { cost } = await turn(first, prompt)
      expect([cost.turnEnd.usd, cost.turnEnd.tokens]).toEqual([expect.closeTo(perTurn, 9), times(2)])
    }
    await first.close()

    const resumed = await open({ resume: first.id })
    const four = await turn(resumed, 'four')
    // The CLI goes on counting where the process before had stopped.
    expect(four.result.total_cost_usd).toBeCloseTo(4 * perTurn, 9)
    expect(four.cost.turnEnd.usd).toBeCloseTo(perTurn, 9)
    await resumed.close()

    const fork = await open({ resume: first.id, fork: true })
    expect(fork.id).not.toBe(first.id)
    const five = await turn(fork, 'five')
    // A fork inherits what its origin had cost.
    expect(five.result.total_cost_usd).toBeCloseTo(5 * perTurn, 9)
    expect(five.cost.turnEnd.usd).toBeCloseTo(perTurn, 9)
    await fork.close()

    const { ledger } = store.records
    expect(await ledger.spent({ principal: null, sessionId: first.id })).toBeCloseTo(4 * perTurn, 9)
    expect(await ledger.spent({ principal: null, sessionId: fork.id })).toBeCloseTo(perTurn, 9)
    const { total } = await costs.service.report(owner(), { group: 'model' })
    expect(total).toEqual({ usd: expect.closeTo(5 * perTurn, 9), tokens: times(10), turns: 5 })
  })

  it('add up the same where the CLI does not report what came since the last result', async () => {
    const first = await open()
    const spent: (number | undefined)[] = []
    const withoutSince = async (session: Session, prompt: string) => {
      const ended = new Promise<TurnEnd>((resolve) => {
        const stop = session.on('turnEnd', (end) => {
          stop()
          resolve(end)
        })
      })
      await session.send(prompt)
      const { model_usage_since_last_result: _, ...result } = (await ended).result.raw as CliMessage
      const booking = {
        record: recordOf(session),
        principal: ownerPrincipal,
        processId: `${session.pid}`,
        end: { result: result as CliMessage },
      }
      spent.push((await costs.recordTurn({ ...booking, turnId: `turn ${++turns}` })).turnEnd.usd)
    }
    await withoutSince(first, 'one')
    await withoutSince(first, 'two')
    await withoutSince(first, '/clear')
    await withoutSince(first, 'three')
    const cliId = first.cliSessionIds.at(-1) ?? ''
    await first.close()
    const resumed = await open({ resume: cliId })
    await withoutSince(resumed, 'four')
    const [one = 0] = spent
    const same = expect.closeTo(one, 9)
    expect(spent).toEqual([same, same, 0, same, same])
    await resumed.close()
  })

  it('are reported in the middle of a turn, so that a budget ends it after one call too many at most', async () => {
    callsPerTurn = 100
    const session = await open()
    const limit = 1.2
    budgets.set(session.id, limit)
    let refusedAt = 0
    beforeAnswer = async (call) => {
      const admission = await costs.admit(session.id)
      costs.callEnded(session.id)
      if (admission.ok) return
      refusedAt = call
      void session.interrupt()
      await new Promise(() => {})
    }
    const { cost } = await turn(session, 'go on for ever')
    const usd = cost.turnEnd.usd ?? 0
    const perCallUsd = usd / (refusedAt - 1)
    expect(usd).toBeGreaterThanOrEqual(limit)
    expect(usd - perCallUsd).toBeLessThan(limit)
    expect(refusedAt).toBe(Math.ceil(limit / perCallUsd) + 1)
    expect(cost.events[0]).toMatchObject({ budget: { kind: 'session', reached: true } })
  })

  it('of a process that was killed are lost to the CLI, but not to the ledger', async () => {
    const first = await open()
    const { cost } = await turn(first, 'one')
    const perTurn = cost.turnEnd.usd ?? 0
    beforeAnswer = async (call) => {
      if (call !== 4) return
      await costs.admit(first.id)
      process.kill(first.pid ?? 0, 'SIGKILL')
      await new Promise(() => {})
    }
    const pid = `${first.pid}`
    const died = first.waitForCompletion().catch(() => undefined)
    await first.send('two').catch(() => undefined)
    await died
    await costs.recordLostTurn({
      record: recordOf(first),
      turnId: 'lost',
      principal: ownerPrincipal,
      processId: pid,
    })
    costs.closeProcess(pid)
    beforeAnswer = () => {}
    const resumed = await open({ resume: first.id })
    const { result } = await turn(resumed, 'three')
    // The CLI writes down what a process cost when that ends in good order, and only then.
    expect(result.total_cost_usd).toBeCloseTo(perTurn, 9)
    expect(await store.records.ledger.spent({ principal: null, sessionId: first.id })).toBeCloseTo(
      2.5 * perTurn,
      9,
    )
    await resumed.close()
  })
})
