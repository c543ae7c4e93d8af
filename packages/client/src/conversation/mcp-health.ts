import type { McpServerHealth } from '@dorkos/shared'

export interface McpCounts {
  connected: number
  failed: number
  pending: number
  /** Without those that are switched off. */
  all: number
}

export function countServers(servers: readonly McpServerHealth[]): McpCounts {
  const having = (...statuses: readonly McpServerHealth['status'][]) =>
    servers.filter(({ status }) => statuses.includes(status)).length
  const connected = having('connected')
  const failed = having('failed', 'needs_auth')
  const pending = having('pending')
  return { connected, failed, pending, all: connected + failed + pending }
}
