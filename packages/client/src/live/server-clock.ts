/** The server's clock, so that a deadline counts down by it and not by a clock that may be minutes off. */
import type { ApiClient } from '@dorkos/shared'

/** The server's clock less ours. The answer was written half a round trip ago, as far as one can know. */
export function clockOffset(serverTime: string, askedAt: number, answeredAt: number): number | undefined {
  const server = Date.parse(serverTime)
  return Number.isNaN(server) ? undefined : server - (askedAt + answeredAt) / 2
}

/** Undefined when the server does not say. */
export async function measureClockOffset(
  client: Pick<ApiClient, 'listApprovals'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const askedAt = Date.now()
    const { server_time } = await client.listApprovals({ query: { limit: 1 }, signal })
    return clockOffset(server_time, askedAt, Date.now())
  } catch {
    return undefined
  }
}
