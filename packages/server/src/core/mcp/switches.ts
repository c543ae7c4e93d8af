/** What people chose for a workspace or a session: what is switched off, and whose processes are shared. Kept in memory and in the store. */

import { isDeepStrictEqual } from 'node:util'
import { foldServerName, type McpSharing } from '@dorkos/shared'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { McpSharingChoice, McpStore, McpSwitch } from '../ports/mcp-store.ts'

type SwitchTarget = McpSwitch['target']

type Switchable = Pick<McpSwitch, 'target' | 'server' | 'tool'>

export class McpSwitches {
  readonly #store: McpStore
  readonly #clock: Clock
  readonly #onChange: (what: Switchable) => void
  #all: McpSwitch[] = []
  #sharings: McpSharingChoice[] = []

  constructor(store: McpStore, clock: Clock, onChange: (what: Switchable) => void) {
    this.#store = store
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Also what another process has changed since. Whether anything is different. */
  async load(): Promise<boolean> {
    const before = [this.#all, this.#sharings]
    this.#all = await this.#store.switches()
    this.#sharings = await this.#store.sharings()
    return !isDeepStrictEqual(before, [this.#all, this.#sharings])
  }

  serversOff(workspaceId: string | undefined, sessionId: string | undefined): Set<string> {
    const here = this.#all.filter(({ target, tool }) => !tool && isHere(target, workspaceId, sessionId))
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
        isHere(one.target, workspaceId, sessionId) &&
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

  /** Of a workspace's sessions, where somebody chose. */
  sharingOf(workspaceId: string | undefined, server: string): McpSharing | undefined {
    return this.#sharings.find((one) => isOf(one, workspaceId, server))?.sharing
  }

  /** Without `sharing`, what the entry says counts again. */
  async setSharing(
    what: { workspaceId: string; server: string },
    sharing: McpSharing | undefined,
    principal: string,
  ): Promise<void> {
    const { workspaceId, server } = what
    const before = this.#sharings.filter((one) => isOf(one, workspaceId, server))
    if (sharing !== undefined)
      await this.#store.setSharing({ ...what, sharing, by: principal, at: isoTime(this.#clock.now()) })
    for (const one of before)
      if (sharing === undefined || one.server !== server) await this.#store.removeSharing(one)
    this.#sharings = await this.#store.sharings()
    this.#onChange({ target: { kind: 'workspace', id: workspaceId }, server })
  }

  /** The workspace or session is gone, and with it what the store has of it. */
  forget(target: SwitchTarget): void {
    this.#all = this.#all.filter((one) => one.target.kind !== target.kind || one.target.id !== target.id)
    if (target.kind === 'workspace')
      this.#sharings = this.#sharings.filter(({ workspaceId }) => workspaceId !== target.id)
  }
}

function isHere(
  target: SwitchTarget,
  workspaceId: string | undefined,
  sessionId: string | undefined,
): boolean {
  return target.id === (target.kind === 'workspace' ? workspaceId : sessionId)
}

function isOf(choice: McpSharingChoice, workspaceId: string | undefined, server: string): boolean {
  return choice.workspaceId === workspaceId && foldServerName(choice.server) === foldServerName(server)
}

function isSame(one: McpSwitch, other: Switchable): boolean {
  const { kind, id } = other.target
  return (
    one.target.kind === kind &&
    one.target.id === id &&
    one.tool === other.tool &&
    foldServerName(one.server) === foldServerName(other.server)
  )
}
