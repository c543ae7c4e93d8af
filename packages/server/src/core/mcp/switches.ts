/** What people switched off, for a workspace or a session. Kept in memory and in the store. */

import { isDeepStrictEqual } from 'node:util'
import { foldServerName } from '@dorkos/shared'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { McpStore, McpSwitch } from '../ports/mcp-store.ts'

type Place = McpSwitch['place']

type Switchable = Pick<McpSwitch, 'place' | 'server' | 'tool'>

export class McpSwitches {
  readonly #store: McpStore
  readonly #clock: Clock
  readonly #onChange: (what: Switchable) => void
  #all: McpSwitch[] = []

  constructor(store: McpStore, clock: Clock, onChange: (what: Switchable) => void) {
    this.#store = store
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Also what another process has changed since. Whether anything is different. */
  async load(): Promise<boolean> {
    const before = this.#all
    this.#all = await this.#store.switches()
    return !isDeepStrictEqual(before, this.#all)
  }

  serversOff(workspaceId: string | undefined, sessionId: string | undefined): Set<string> {
    const here = this.#all.filter(({ place, tool }) => !tool && isHere(place, workspaceId, sessionId))
    return new Set(here.map(({ server }) => server))
  }

  isToolOff(
    workspaceId: string | undefined,
    sessionId: string | undefined,
    server: string,
    tool: string,
  ): boolean {
    return this.#all.some(
      (one) =>
        one.tool === tool &&
        isHere(one.place, workspaceId, sessionId) &&
        foldServerName(one.server) === foldServerName(server),
    )
  }

  async set(what: Switchable, off: boolean, principal: string): Promise<void> {
    const others = () => this.#all.filter((one) => !isSame(one, what))
    if (off) {
      const entry: McpSwitch = { ...what, by: principal, at: isoTime(this.#clock.now()) }
      await this.#store.switchOff(entry)
      this.#all = [...others(), entry]
    } else {
      for (const one of this.#all) if (isSame(one, what)) await this.#store.switchOn(one)
      this.#all = others()
    }
    this.#onChange(what)
  }

  /** The workspace or session is gone, and with it what the store has of it. */
  forget(place: Place): void {
    this.#all = this.#all.filter((one) => one.place.kind !== place.kind || one.place.id !== place.id)
  }
}

function isHere(place: Place, workspaceId: string | undefined, sessionId: string | undefined): boolean {
  return place.id === (place.kind === 'workspace' ? workspaceId : sessionId)
}

function isSame(one: McpSwitch, other: Switchable): boolean {
  const { kind, id } = other.place
  return (
    one.place.kind === kind &&
    one.place.id === id &&
    one.tool === other.tool &&
    foldServerName(one.server) === foldServerName(other.server)
  )
}
