import type { McpServer } from '@dorkos/shared'

/** What a server's entry starts, or where it is, on one line. Words that a shell would split are in quotes; no shell runs it. */
export function launchLine({ command, args = [], url }: McpServer['entry']): string {
  if (command === undefined) return url ?? ''
  return [command, ...args]
    .map((word) => (/^[\w@%+=:,./~•${}-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ')
}
