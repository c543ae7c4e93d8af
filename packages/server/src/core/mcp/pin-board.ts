/**
 * Tools as they were when they were last accepted, and what has changed since. Trust on first use: a server's first tools are taken
 * as they are; a tool that says something else later is shown with what is different, one that comes later is shown as new, and both
 * are held back where the policy says so. A server's instructions are pinned like a tool.
 */
import type { CatalogueTool, PinDiff } from '@dorkos/mcp-gateway'
import type { Clock } from '../ports/clock.ts'
import type { McpStore } from '../ports/mcp-store.ts'
import { instructionsAsTool, ServerPins } from './server-pins.ts'

/** What becomes of a changed or new tool until a person accepts it: `hold` offers it to nobody, `flag` only says so. */
export type PinPolicy = 'hold' | 'flag'

export interface PinBoardOptions {
  store: Pick<McpStore, 'pins' | 'setPins'>
  clock: Pick<Clock, 'now'>
  /** Asked anew each time; whoever changes it notifies the sessions. */
  policy(): PinPolicy
  /** What is offered of a server, or its state, may be different now. Must not throw. */
  onChange(serverKey: string): void
}

export interface PinState {
  /** Or `instructionsPin`. */
  tool: string
  /** Of the definition as it is now: what `accept` takes. */
  hash: string
  /** `new`: it came after the server's first tools, and nobody has reviewed it yet. */
  status: 'pinned' | 'new' | 'changed'
  /** Not offered until somebody accepts it. */
  held: boolean
  /** From the pinned definition to the one of now. */
  diff?: PinDiff[]
  /** When it was pinned; of a changed one, when this run of the server first saw it so. */
  since: string
  /** Who accepted the pinned definition. */
  acceptedBy?: string
}

export interface PinBoard {
  /**
   * To be called whenever a server's catalogue changed. Resolves when this catalogue, or a later one, has been checked and what is
   * pinned is stored; of several that come at once the last one counts. On a rejection all is as before: what is not stored is not offered.
   */
  compare(serverKey: string, tools: readonly CatalogueTool[], instructions?: string): Promise<void>
  /** At once, from memory. No for every definition that was not checked. */
  offers(serverKey: string, tool: CatalogueTool): boolean
  /** Likewise, of what the server would say to the model about itself. */
  offersInstructions(serverKey: string, text: string): boolean
  /** Of the tools in the last catalogue that was checked, in its order; then of its instructions. */
  state(serverKey: string): PinState[]
  /** Another process may have accepted tools: what is stored counts. */
  reread(): Promise<void>
  /** All or none. Refused for a tool that is no longer as the person saw it. */
  accept(serverKey: string, seen: readonly { tool: string; hash: string }[], principal: string): Promise<void>
}

export function createPinBoard(options: PinBoardOptions): PinBoard {
  const servers = new Map<string, ServerPins>()
  const serverOf = (key: string): ServerPins => {
    const known = servers.get(key)
    if (known) return known
    const server = new ServerPins(key, options)
    servers.set(key, server)
    return server
  }
  return {
    compare: (key, tools, instructions) => serverOf(key).compare(tools, instructions),
    offers: (key, tool) => servers.get(key)?.offers(tool) ?? false,
    offersInstructions: (key, text) => servers.get(key)?.offers(instructionsAsTool(text)) ?? false,
    state: (key) => servers.get(key)?.state() ?? [],
    async reread() {
      for (const server of servers.values()) await server.reread()
    },
    accept: (key, seen, principal) => serverOf(key).accept(seen, principal),
  }
}
