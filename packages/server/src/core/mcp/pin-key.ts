/** What a server's pinned tools go by: what it is, and not which secrets it was given. A new token is no new server. */
import { createHash } from 'node:crypto'
import type { ServerEntry } from '@dorkos/mcp-gateway'

export function pinKeyOf({ name, launch }: ServerEntry): string {
  const what =
    launch.type === 'stdio'
      ? [launch.type, launch.command, ...launch.args, launch.cwd]
      : [launch.type, launch.url.split('?')[0]]
  return `${name}-${createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 16)}`
}
