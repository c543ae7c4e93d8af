/**
 * The names that the model knows a server's tools by. Claude Code (2.1.325) calls a tool `mcp__<server>__<tool>` with `_` for every
 * character that the model's API does not take, drops the second of two tools that become one by this, and lets names pass that are
 * too long for the API, which then refuses the whole request. So the names it is given here need no change and are short enough.
 */
import { createHash } from 'node:crypto'

/** The limit of the model's API. */
const MAX_FULL_NAME = 64
/** What has to be left for the tool after `mcp__<server>__`: something to read, and the hash. */
const MIN_TOOL_PART = 16
const HASH_LENGTH = 8

export interface ToolNames {
  /** By the server's own name. */
  readonly offered: ReadonlyMap<string, string>
  /** By the offered name. */
  readonly original: ReadonlyMap<string, string>
}

/** What Claude Code makes of the name of a server or tool. */
function normalize(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/**
 * Why a server of this name cannot be offered, or undefined. With `__` in it, or `_` at its end, its tools could have the very names of
 * another server's: `a` with `b__c`, and `a__b` with `c`.
 */
export function offeredNameFault(server: string): string | undefined {
  const name = normalize(server)
  if (name === '') return 'An MCP server needs a name'
  if (toolRoom(name) < MIN_TOOL_PART) {
    const limit = name.length - (MIN_TOOL_PART - toolRoom(name))
    return `The name of MCP server '${server.slice(0, 100)}' is too long: with at most ${limit} characters its tools still have a name`
  }
  if (name.includes('__') || name.endsWith('_'))
    return `MCP server '${server}' is '${name}' to the model; a name must not have two underscores in a row or one at its end`
  return undefined
}

/** `mcp__<server>__<tool>`, for a tool's offered name. */
export function fullToolName(server: string, offered: string): string {
  return `mcp__${normalize(server)}__${offered}`
}

/**
 * A name for each tool, whatever their order. A name that is sound and short enough stays; `.` becomes `_`; what is too long is cut and gets
 * a hash of the whole. Only of two tools that would have one name does one, or both, get a hash too. Throws where offeredNameFault has a fault.
 */
export function offerToolNames(server: string, tools: Iterable<string>): ToolNames {
  const fault = offeredNameFault(server)
  if (fault !== undefined) throw new Error(fault)
  const room = toolRoom(normalize(server))
  const offered = new Map<string, string>()
  const original = new Map<string, string>()
  const give = (tool: string, name: string) => {
    offered.set(tool, name)
    original.set(name, tool)
  }
  const { sound, plain, rest } = sortOut(new Set(tools), room)
  for (const tool of sound) give(tool, tool)
  for (const [name, tool] of plain) {
    if (original.has(name)) rest.push(tool)
    else give(tool, name)
  }
  for (const tool of rest.sort()) give(tool, hashedName(tool, room, original))
  return { offered, original }
}

interface SortedOut {
  /** Need no change. */
  sound: string[]
  /** Their normal form is nobody else's, as far as these go. */
  plain: Map<string, string>
  /** Need a hash. */
  rest: string[]
}

function sortOut(tools: ReadonlySet<string>, room: number): SortedOut {
  const sorted: SortedOut = { sound: [], plain: new Map(), rest: [] }
  const taken = new Set<string>()
  for (const tool of tools) {
    const name = normalize(tool)
    if (name.length > room) sorted.rest.push(tool)
    else if (name === tool) sorted.sound.push(tool)
    else if (!taken.has(name)) {
      taken.add(name)
      sorted.plain.set(name, tool)
    } else {
      const other = sorted.plain.get(name)
      if (other !== undefined) sorted.rest.push(other)
      sorted.plain.delete(name)
      sorted.rest.push(tool)
    }
  }
  return sorted
}

/** The first hash that is free: a server may have a tool with the very name that another would get. */
function hashedName(tool: string, room: number, taken: ReadonlyMap<string, string>): string {
  const start = normalize(tool).slice(0, room - HASH_LENGTH - 1)
  for (let round = 0; ; round++) {
    const source = round === 0 ? tool : `${tool}\0${round}`
    const hash = createHash('sha256').update(source).digest('hex').slice(0, HASH_LENGTH)
    const name = `${start}_${hash}`
    if (!taken.has(name)) return name
  }
}

function toolRoom(normalServer: string): number {
  return MAX_FULL_NAME - `mcp__${normalServer}__`.length
}
