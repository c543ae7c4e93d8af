/** What helps somebody else to help, as text: nothing that opens a door, and no names of people in paths. */
import type { Status } from '@dorkos/shared'

export interface PageFacts {
  readonly browser: string
  readonly language: string
  readonly connection: string
  readonly time: string
}

export function diagnostics(status: Status, page: PageFacts): string {
  return JSON.stringify({ server: withoutNames(status), page }, null, 2)
}

/** Home directories are written as `~`, and what looks like a key or a code is left out, wherever it stands. */
export function withoutNames(value: unknown): unknown {
  if (typeof value === 'string') return harmless(value)
  if (Array.isArray(value)) return value.map(withoutNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNames(one)]))
}

const homes = /(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^/\\\s"':]+|\/root(?=[/\s"':]|$)/g
const secrets = /\b(?:sk-[\w-]{4,}|dork_[\w-]{4,})|([#?&]code=)[^\s"'&]+|(Bearer\s+)\S+|(:\/\/)[^\s/@"']+@/gi

function harmless(text: string): string {
  return text
    .replace(secrets, (_, code = '', bearer = '', user = '') => `${code}${bearer}${user}[left out]`)
    .replace(homes, '~')
}
