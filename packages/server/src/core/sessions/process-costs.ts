/** The costs of one session's processes, as its runner needs them. */
import { type BudgetRefusal, refusalFor } from '../costs/budget-state.ts'
import type { Costs } from '../costs/costs.ts'
import type { ProcessCosts } from './process-session.ts'
import type { SessionRunner } from './session-runner.ts'

/** Where the session's credential for model calls is from. */
export interface CredentialGateway {
  revoke(sessionId: string): void
}

/** Without a gateway model calls do not pass it, so budgets are checked after each answer, and a turn over one is stopped. */
export function processCosts(
  costs: Costs,
  runner: SessionRunner,
  gateway: CredentialGateway | undefined,
): ProcessCosts {
  let checking = false
  let stopped: BudgetRefusal | undefined

  async function check(): Promise<void> {
    const reached = (await costs.check(runner.id)).find(({ state }) => state === 'reached')
    if (!reached || stopped !== undefined) return
    stopped = refusalFor(reached)
    await runner.interrupt(stopped.reason, stopped.reasonCode)
  }

  return {
    opened: ({ processId, isNew, agent }) =>
      costs.openProcess({
        processId,
        sessionId: runner.id,
        epoch: runner.grant.epoch,
        principal: runner.record.principal,
        isNew,
        demo: runner.record.demo,
        readUsage: () => agent.usage(),
        emit: (event) => runner.events.emit(event),
      }),
    refusal: () => costs.refusalOf(runner.id) ?? stopped,
    turnEnded: (turn) => {
      stopped = undefined
      return costs.recordTurn({ record: runner.record, ...turn })
    },
    turnLost: (turn) => costs.recordLostTurn({ record: runner.record, ...turn }),
    answered() {
      if (gateway || checking) return
      checking = true
      check()
        .catch((error: unknown) => runner.events.fault(error))
        .finally(() => {
          checking = false
        })
    },
    closed(processId) {
      costs.closeProcess(processId)
      // What outlived the process must not go on calling the model.
      gateway?.revoke(runner.id)
    },
  }
}
