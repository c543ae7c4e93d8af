import type { InboundRequest } from '../../src/protocol/control-channel.ts'

/** A request of the CLI's, and what withdraws it. */
export function inboundRequest(
  subtype: string,
  payload: Record<string, unknown> = {},
): { request: InboundRequest; withdraw(reason?: Error): void } {
  const controller = new AbortController()
  return {
    request: { id: 'request-1', subtype, payload: { subtype, ...payload }, signal: controller.signal },
    withdraw: (reason = new Error('withdrawn')) => controller.abort(reason),
  }
}
