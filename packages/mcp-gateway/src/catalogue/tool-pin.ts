/** Tools that were checked once are known by a hash of what is offered of them, so that a later change shows. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { CatalogueTool } from './catalogue.ts'
import { type JsonDifference, jsonDifferences } from './json-diff.ts'

/** A tool as it was when its pin was taken. */
export interface KnownPin {
  pin: string
  tool: CatalogueTool
}

/** One place where a tool is no longer what it was. */
export type PinDiff = JsonDifference

export interface ChangedTool {
  tool: string
  before: CatalogueTool
  after: CatalogueTool
  diff: PinDiff[]
}

export interface PinComparison {
  added: CatalogueTool[]
  changed: ChangedTool[]
  /** Names. */
  removed: string[]
}

/** Hex of a SHA-256 over the whole definition as it is offered: clients read fields that no list of ours would have, as in `_meta`. */
export function pinOf(tool: CatalogueTool): string {
  return createHash('sha256').update(canonicalJson(tool)).digest('hex')
}

/** `known` is by the tool's name. */
export function comparePins(
  known: ReadonlyMap<string, KnownPin>,
  tools: readonly CatalogueTool[],
): PinComparison {
  const comparison: PinComparison = { added: [], changed: [], removed: [] }
  const present = new Set<string>()
  for (const after of tools) {
    present.add(after.name)
    const before = known.get(after.name)
    if (!before) comparison.added.push(after)
    else if (before.pin !== pinOf(after)) {
      const diff = jsonDifferences(before.tool, after)
      comparison.changed.push({ tool: after.name, before: before.tool, after, diff })
    }
  }
  for (const name of known.keys()) if (!present.has(name)) comparison.removed.push(name)
  return comparison
}
