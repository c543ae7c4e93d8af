/** The model gateway with its upstream, what may be asked of it, and who is notified of rate limits. */

import type { Costs } from '../core/costs/costs.ts'
import { rateLimitEvent } from '../core/rate-limit-event.ts'
import type { SessionRunner } from '../core/sessions/session-runner.ts'
import type { ModelGatewayOptions } from '../model-gateway/gateway-options.ts'
import { type ModelGateway, startModelGateway } from '../model-gateway/model-gateway.ts'
import type { ComposeInput } from './compose-input.ts'

type FindRunner = (sessionId: string) => Pick<SessionRunner, 'events' | 'wasPrompted'> | undefined

/** Undefined where the CLI reaches the model by itself. */
export async function openGateway(
  input: ComposeInput,
  costs: Costs,
  runner: FindRunner,
): Promise<ModelGateway | undefined> {
  const { modelSource, logger, clock, env } = input
  if (modelSource.kind === 'cli') return undefined
  return startModelGateway({
    upstream: () =>
      modelSource.kind === 'demo'
        ? { kind: 'demo' }
        : { kind: 'anthropic', baseUrl: modelSource.baseUrl, headers: () => modelSource.headers() },
    admit: admission(costs, runner),
    ended: ({ sessionId }) => costs.callEnded(sessionId),
    observe: ({ sessionId }, seen) => {
      const notice = rateLimitEvent(seen, clock)
      if (notice) runner(sessionId)?.events.emit(notice)
    },
    logger,
    env,
  })
}

/**
 * Within its budgets, and once somebody has said something: the hook that inspects prompts is there only when the CLI has taken up its
 * `initialize`, and a prompt of its own (a schedule's) may come before (2.1.325).
 */
export function admission(costs: Pick<Costs, 'admit'>, runner: FindRunner): ModelGatewayOptions['admit'] {
  return async ({ sessionId }, { path }) => {
    const asksModel = path === '/v1/messages'
    if (asksModel && !runner(sessionId)?.wasPrompted) return { ok: false, message: unasked }
    return costs.admit(sessionId)
  }
}

const unasked =
  'Nobody has said anything to this agent since its process started, so it does not reach the model.'
