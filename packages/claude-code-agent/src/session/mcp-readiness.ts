/** Waits for MCP servers by asking the CLI for their status. */
import { setTimeout as sleep } from 'node:timers/promises'
import { TimeoutError } from '../errors.ts'
import type { McpServerStatus } from './session.ts'

export interface McpReadiness {
  /** Names of connected servers. */
  ready: string[]
  /** Servers that failed, with the reason. */
  failed: { name: string; error: string }[]
  needsAuth: string[]
  disabled: string[]
  /** Still connecting when the time was up. */
  pending: string[]
}

/** Never takes longer than `timeoutMs`: a CLI that does not answer in time is asked no more. */
export async function waitForMcp(
  status: (timeoutMs: number) => Promise<McpServerStatus[]>,
  timeoutMs: number,
): Promise<McpReadiness> {
  const deadline = performance.now() + timeoutMs
  let known: McpServerStatus[] = []
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    try {
      known = await status(Math.max(1, Math.ceil(deadline - performance.now())))
    } catch (error) {
      if (error instanceof TimeoutError) return toReadiness(known)
      throw error
    }
    const left = deadline - performance.now()
    if (left <= 0 || known.every((server) => server.status !== 'pending')) return toReadiness(known)
    await sleep(Math.min(pauseMs, left))
  }
}

function toReadiness(servers: McpServerStatus[]): McpReadiness {
  const named = (status: McpServerStatus['status']) =>
    servers.filter((server) => server.status === status).map((server) => server.name)
  return {
    ready: named('connected'),
    failed: servers
      .filter((server) => server.status === 'failed')
      .map((server) => ({ name: server.name, error: server.error ?? 'the CLI gave no reason' })),
    needsAuth: named('needs-auth'),
    disabled: named('disabled'),
    pending: named('pending'),
  }
}
