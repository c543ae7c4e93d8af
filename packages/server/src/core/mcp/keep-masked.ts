/** An entry that people were shown masked, and that comes back changed: what still stands masked is what is stored. Pure. */
import type { McpEntryInput } from '@dorkos/shared'
import type { McpEntry } from './found-server.ts'
import { MASK, maskEntry } from './mask-entry.ts'

/**
 * The given entry with the stored values in place of masked ones that stand where they stood. A mask that could mean more than one
 * value, or whose value would now be sent elsewhere, stays: whoever stores the entry refuses it.
 */
export function keepMasked(given: McpEntryInput, stored: McpEntry): McpEntryInput {
  const shown = maskEntry(stored)
  if (stored.type === 'stdio' && shown.type === 'stdio') {
    if (given.command === undefined) return given
    return {
      ...given,
      command: given.command === shown.command ? stored.command : given.command,
      ...(given.args && { args: keptArgs(given.args, shown.args, stored.args) }),
      ...(given.env && { env: keptPairs(given.env, shown.env, stored.env) }),
    }
  }
  if (stored.type === 'stdio' || shown.type === 'stdio' || given.url === undefined) return given
  const url = given.url === shown.url ? stored.url : given.url
  if (originOf(url) !== originOf(stored.url)) return given
  return {
    ...given,
    url,
    ...(given.headers && { headers: keptPairs(given.headers, shown.headers, stored.headers) }),
  }
}

/** Also where arguments were added, taken out or moved: by the argument itself, or else together with the one before it. */
function keptArgs(given: readonly string[], shown: readonly string[], stored: readonly string[]): string[] {
  return given.map((text, index) => {
    if (!text.includes(MASK)) return text
    const isAlone = (args: readonly string[]) => args.filter((one) => one === text).length === 1
    if (isAlone(given) && isAlone(shown)) return stored[shown.indexOf(text)] ?? text
    const indexesOf = (args: readonly string[]) =>
      [...args.keys()].filter((at) => args[at] === text && args[at - 1] === given[index - 1])
    const [found, ...others] = indexesOf(shown)
    if (found === undefined || others.length > 0 || indexesOf(given).length > 1) return text
    return stored[found] ?? text
  })
}

type Pairs = Readonly<Record<string, string>>

function keptPairs(given: Pairs, shown: Pairs, stored: Pairs): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const isKept = Object.hasOwn(stored, name) && value === shown[name]
      return [name, isKept ? (stored[name] ?? value) : value]
    }),
  )
}

/** Who gets the headers, and whether they go there in the clear. Of an address that is put together of variables: all of it. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
