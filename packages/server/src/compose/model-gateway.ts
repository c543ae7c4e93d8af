/** The model gateway with its upstream, budgets, and who is told of rate limits. */

import type { Costs } from '../core/costs/costs.ts'
import { rateLimitEvent } from '../core/rate-limit-event.ts'
import type { SessionRunner } from '../core/sessions/session-runner.ts'
import { type ModelGateway, startModelGateway } from '../model-gateway/model-gateway.ts'
import type { ComposeInput } from './compose-input.ts'

/** Undefined where the CLI reaches the model by itself. */
export async function openGateway(
  input: ComposeInput,
  costs: Costs,
  runner: (sessionId: string) => SessionRunner | undefined,
): Promise<ModelGateway | undefined> {
  const { modelSource, logger, clock, env } = input
  if (modelSource.kind === 'cli') return undefined
  return startModelGateway({
    upstream: () =>
      modelSource.kind === 'demo'
        ? { kind: 'demo' }
        : { kind: 'anthropic', baseUrl: modelSource.baseUrl, headers: () => modelSource.headers() },
    admit: ({ sessionId }) => costs.admit(sessionId),
    ended: ({ sessionId }) => costs.callEnded(sessionId),
    observe: ({ sessionId }, seen) => {
      const notice = rateLimitEvent(seen, clock)
      if (notice) runner(sessionId)?.events.emit(notice)
    },
    logger,
    env,
  })
}
