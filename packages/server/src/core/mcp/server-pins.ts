/** The pins of one server. */

import { isDeepStrictEqual } from 'node:util'
import { type CatalogueTool, comparePins, type PinDiff, pinOf } from '@dorkos/mcp-gateway'
import { say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { isoTime } from '../ports/clock.ts'
import type { ToolPin } from '../ports/mcp-store.ts'
import type { PinBoardOptions, PinState } from './pin-board.ts'
import { shownName } from './server-name.ts'

/** Pins stay when their tools go, so a server could fill the disk with ever new names: past this, a new tool waits for a person under any policy. */
const MAX_PINS = 2_000
/** New and changed definitions that are remembered as checked. */
const MAX_FLAGGED = 10_000

/** What a server's instructions are pinned as. No tool can have this name. */
export const instructionsPin = '#instructions'

/** A tool in the last catalogue. */
interface Present {
  definition: CatalogueTool
  hash: string
  /** Unless it is as pinned: since when, and how it differs. */
  flag: { since: string; diff?: PinDiff[] } | undefined
}

export class ServerPins {
  readonly #key: string
  readonly #options: PinBoardOptions
  /** As stored, by tool; undefined until the first look is done. */
  #pins: ReadonlyMap<string, ToolPin> | undefined
  #present: ReadonlyMap<string, Present> = new Map()
  /** Hashes of new and changed definitions, oldest first: processes of one server may differ, and each has been checked. */
  readonly #flagged = new Set<string>()
  /** The last catalogue that came, until it is checked. */
  #next: readonly CatalogueTool[] | undefined
  #work: Promise<unknown> = Promise.resolve()

  constructor(key: string, options: PinBoardOptions) {
    this.#key = key
    this.#options = options
  }

  compare(tools: readonly CatalogueTool[], instructions?: string): Promise<void> {
    this.#next = instructions === undefined ? tools : [...tools, instructionsAsTool(instructions)]
    return this.#exclusive(async () => {
      const next = this.#next
      // Whoever was before this one in the line has checked it.
      if (!next) return
      this.#next = undefined
      try {
        await this.#inspect(next)
      } catch (error) {
        // Those that wait behind try it once more.
        this.#next ??= next
        throw error
      }
    })
  }

  reread(): Promise<void> {
    return this.#exclusive(async () => {
      if (!this.#pins) return
      const stored = withPins(undefined, await this.#options.store.pins(this.#key))
      if (isDeepStrictEqual(stored, this.#pins)) return
      this.#pins = stored
      await this.#inspect([...this.#present.values()].map(({ definition }) => definition))
      this.#options.onChange(this.#key)
    })
  }

  offers(tool: CatalogueTool): boolean {
    const pin = this.#pins?.get(tool.name)
    const hash = hashOf(tool)
    if (!pin || hash === undefined) return false
    if (pin.hash === hash && !pin.isNew) return true
    return this.#options.policy() === 'flag' && this.#flagged.has(hash)
  }

  state(): PinState[] {
    const isHolding = this.#options.policy() !== 'flag'
    return [...this.#present].map(([tool, { hash, flag }]) => {
      const pin = this.#pins?.get(tool)
      if (!pin) return { tool, hash, status: 'new', held: true, since: flag?.since ?? this.#now() }
      const { acceptedBy } = pin
      const row = { tool, hash, ...(acceptedBy !== undefined && { acceptedBy }) }
      // Nobody has seen what it was at first: all of it is new, whatever it became.
      if (pin.isNew) return { ...row, status: 'new', held: isHolding, since: pin.at }
      if (!flag) return { ...row, status: 'pinned', held: false, since: pin.at }
      const { since, diff } = flag
      return { ...row, status: 'changed', held: isHolding, since, ...(diff && { diff }) }
    })
  }

  accept(seen: readonly { tool: string; hash: string }[], principal: string): Promise<void> {
    return this.#exclusive(async () => {
      const at = this.#now()
      const pins = seen.map(({ tool, hash }): ToolPin => {
        const present = this.#present.get(tool)
        if (!present) throw new AppError('not_found', say('mcp_tool_gone', { tool: shownName(tool) }))
        if (present.hash !== hash) throw changedAgain(tool)
        return { tool, hash, definition: present.definition, acceptedBy: principal, at }
      })
      if (pins.length === 0) return
      await this.#options.store.setPins(this.#key, pins)
      this.#pins = withPins(this.#pins, pins)
      const present = new Map(this.#present)
      for (const { tool, hash, definition } of pins) present.set(tool, { definition, hash, flag: undefined })
      this.#present = present
      this.#options.onChange(this.#key)
    })
  }

  async #inspect(tools: readonly CatalogueTool[]): Promise<void> {
    const { store, onChange } = this.#options
    const known = this.#pins ?? withPins(undefined, await store.pins(this.#key))
    const at = this.#now()
    const { added, changed } = comparePins(asKnown(known), tools)
    const isFirst = { tools: ![...known.keys()].some(isTool), all: known.size === 0 }
    const pins = added.slice(0, Math.max(0, MAX_PINS - known.size)).map(
      (definition): ToolPin => ({
        tool: definition.name,
        hash: pinOf(definition),
        definition,
        at,
        ...(!(isTool(definition.name) ? isFirst.tools : isFirst.all) && { isNew: true }),
      }),
    )
    if (pins.length > 0) await store.setPins(this.#key, pins)

    const before = this.#present
    this.#pins = withPins(known, pins)
    this.#present = this.#presentOf(tools, new Map(changed.map(({ tool, diff }) => [tool, diff])), at)
    if (pins.length > 0 || !isSame(before, this.#present)) onChange(this.#key)
  }

  #presentOf(
    tools: readonly CatalogueTool[],
    diffs: ReadonlyMap<string, PinDiff[]>,
    at: string,
  ): Map<string, Present> {
    const present = new Map<string, Present>()
    for (const definition of tools) {
      const { name } = definition
      const hash = pinOf(definition)
      const diff = diffs.get(name)
      const pin = this.#pins?.get(name)
      const isPinned = pin?.hash === hash
      const since = this.#present.get(name)?.flag?.since ?? at
      if (diff || pin?.isNew) this.#flag(hash)
      present.set(name, { definition, hash, flag: isPinned ? undefined : { since, ...(diff && { diff }) } })
    }
    return present
  }

  #flag(hash: string): void {
    this.#flagged.delete(hash)
    this.#flagged.add(hash)
    for (const oldest of this.#flagged) {
      if (this.#flagged.size <= MAX_FLAGGED) break
      this.#flagged.delete(oldest)
    }
  }

  #now(): string {
    return isoTime(this.#options.clock.now())
  }

  /** One after the other: each sees what the one before has stored. */
  #exclusive(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }
}

/** Instructions in the shape of a tool: pinned, compared, shown and accepted by the same rules. */
export function instructionsAsTool(text: string): CatalogueTool {
  return { name: instructionsPin, description: text, inputSchema: {} }
}

const isTool = (name: string) => name !== instructionsPin

/** Definitions are never changed in place, and are asked about for each list and each call. */
const hashes = new WeakMap<CatalogueTool, string>()

/** Undefined for what no hash can be made of. */
function hashOf(tool: CatalogueTool): string | undefined {
  const known = hashes.get(tool)
  if (known !== undefined) return known
  try {
    const hash = pinOf(tool)
    hashes.set(tool, hash)
    return hash
  } catch {
    return undefined
  }
}

function withPins(
  before: ReadonlyMap<string, ToolPin> | undefined,
  pins: readonly ToolPin[],
): ReadonlyMap<string, ToolPin> {
  return new Map([...(before ?? []), ...pins.map((pin) => [pin.tool, pin] as const)])
}

function asKnown(pins: ReadonlyMap<string, ToolPin>) {
  return new Map([...pins].map(([tool, { hash, definition }]) => [tool, { pin: hash, tool: definition }]))
}

function isSame(one: ReadonlyMap<string, Present>, other: ReadonlyMap<string, Present>): boolean {
  return one.size === other.size && [...one].every(([tool, { hash }]) => other.get(tool)?.hash === hash)
}

function changedAgain(tool: string): AppError {
  return new AppError('conflict', say('mcp_tool_changed', { tool: shownName(tool) }))
}
