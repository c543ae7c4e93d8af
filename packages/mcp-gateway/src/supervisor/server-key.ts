import { createHash } from 'node:crypto'
import type { Launch, ServerEntry } from '../server-entry.ts'

/**
 * The name, and a hash of how the server is started and for whom: two sessions share a server only if all agree. One for an audience has a
 * longer hash, so that no entry of a project can be made to share a connection of the owner's.
 */
export function serverKey({ name, launch, audience }: ServerEntry): string {
  const hash = createHash('sha256').update(canonicalLaunch(launch))
  if (audience === undefined) return `${name}-${hash.digest('hex').slice(0, 12)}`
  return `${name}-${hash.update(JSON.stringify(audience)).digest('hex').slice(0, 32)}`
}

function canonicalLaunch(launch: Launch): string {
  if (launch.type === 'stdio') {
    return JSON.stringify(['stdio', launch.command, launch.args, sorted(launch.env), launch.cwd])
  }
  return JSON.stringify([launch.type, launch.url, sorted(launch.headers)])
}

function sorted(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))
}
