/** Holds servers against the allowed and denied lists of settings files. */

import { foldServerName } from '@dorkos/shared'
import type { McpEntry, McpMatcher } from './found-server.ts'

export interface Matchable {
  name: string
  /** As written and, where they are known, with the variables put in. */
  entries: readonly McpEntry[]
}

/** The first matcher that meets the server by name, command or address. As broad as its words can be read. */
export function findDeniedMatcher(denied: readonly McpMatcher[], server: Matchable): McpMatcher | undefined {
  return denied.find((matcher) => {
    if ('serverName' in matcher) return sameName(matcher.serverName, server.name)
    return server.entries.some((entry) =>
      'serverCommand' in matcher
        ? sameCommand(matcher.serverCommand, entry)
        : meetsUrl(matcher.serverUrl, entry),
    )
  })
}

/**
 * As the CLI does it (seen with 2.1.325): a list that names any command decides about local servers by command alone, and one that names
 * any address about remote ones by address alone; a name is then not enough. `entry` is what would run.
 */
export function isAllowed(list: readonly McpMatcher[], name: string, entry: McpEntry): boolean {
  const remote = entry.type !== 'stdio'
  const decisive = list.filter((matcher) => (remote ? 'serverUrl' in matcher : 'serverCommand' in matcher))
  if (decisive.length === 0) {
    return list.some((matcher) => 'serverName' in matcher && sameName(matcher.serverName, name))
  }
  return decisive.some((matcher) =>
    'serverUrl' in matcher
      ? remote && isWithinUrl(matcher.serverUrl, entry.url)
      : 'serverCommand' in matcher && sameCommand(matcher.serverCommand, entry),
  )
}

function sameName(one: string, other: string): boolean {
  return foldServerName(one) === foldServerName(other)
}

function sameCommand(command: readonly string[], entry: McpEntry): boolean {
  if (entry.type !== 'stdio') return false
  const argv = [entry.command, ...entry.args]
  return argv.length === command.length && argv.every((part, index) => part === command[index])
}

function meetsUrl(pattern: string, entry: McpEntry): boolean {
  if (entry.type === 'stdio') return false
  const spellings = [entry.url, URL.canParse(entry.url) ? new URL(entry.url).href : entry.url]
  return (
    spellings.some((url) => matchesStars(pattern.toLowerCase(), url.toLowerCase())) ||
    isWithinUrl(pattern, entry.url)
  )
}

/** Part by part: a `*` for the host cannot reach into the path, or `https://*.good.com/*` would allow `https://bad.com/x.good.com/`. */
function isWithinUrl(pattern: string, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host, pathname, search } = new URL(url)
  const parts = /^([a-z*]+):\/\/([^/?#]+)(\/[^#]*)?$/i.exec(pattern)
  if (!parts) return false
  const [, scheme = '', hostPattern = '', path = '/'] = parts
  return (
    matchesStars(`${scheme.toLowerCase()}:`, protocol) &&
    matchesStars(withoutDefaultPort(scheme, hostPattern.toLowerCase()), host) &&
    matchesStars(path, pathname + search)
  )
}

/** `new URL` leaves the default port out. */
function withoutDefaultPort(scheme: string, host: string): string {
  const port = { http: ':80', https: ':443' }[scheme.toLowerCase()]
  return port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host
}

/** Whether `*` in the pattern can stand for something that makes it the text. In linear time for each star: patterns come from files. */
function matchesStars(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split(/\*+/)
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const found = text.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
