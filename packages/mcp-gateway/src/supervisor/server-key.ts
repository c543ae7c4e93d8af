import { createHash } from 'node:crypto'
import type { Launch, ServerEntry } from '../server-entry.ts'

/** The name, and a hash of how the server is started: two sessions share a server only if both agree. */
export function serverKey(entry: ServerEntry): string {
  const hash = createHash('sha256').update(canonicalLaunch(entry.launch)).digest('hex')
  return `${entry.name}-${hash.slice(0, 12)}`
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
