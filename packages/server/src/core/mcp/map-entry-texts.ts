import type { McpEntry } from './found-server.ts'

/** The entry with every text changed that can hold a variable: command, arguments, folder, address, and the values of `env` and `headers`. */
export function mapEntryTexts(entry: McpEntry, change: (text: string) => string): McpEntry {
  if (entry.type !== 'stdio') {
    return { ...entry, url: change(entry.url), headers: mapValues(entry.headers, change) }
  }
  return {
    ...entry,
    command: change(entry.command),
    args: entry.args.map(change),
    env: mapValues(entry.env, change),
    ...(entry.cwd !== undefined && { cwd: change(entry.cwd) }),
  }
}

/** Without a prototype: names come from files. */
function mapValues(
  pairs: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Record<string, string> {
  const changed: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(pairs)) changed[name] = change(value)
  return changed
}
