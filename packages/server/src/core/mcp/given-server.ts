/** A server as one session is given it: bridged, or left to the CLI. */
import {
  type BridgedServer,
  createBridge,
  type ElicitationRequest,
  type ElicitationResult,
  type OwnEnd,
  type ServerEntry,
  type Supervisor,
} from '@dorkos/mcp-gateway'
import type { PinBoard } from './pin-board.ts'

export interface GivenServer {
  /** Equal for servers that are reached in the same way. */
  identity: string
  /** In the supervisor; absent for one that is left to the CLI. */
  key: string | undefined
  server: BridgedServer | Record<string, unknown>
}

export interface BridgeParts {
  supervisor: Supervisor
  pins: Pick<PinBoard, 'offers' | 'offersInstructions'>
  pinKey(entry: ServerEntry): string
  isToolOff(server: string, tool: string): boolean
  /** Pins or switches of tools changed. */
  onOfferChange(listener: () => void): () => void
  elicit(request: ElicitationRequest): Promise<ElicitationResult>
}

interface GivenListener {
  /** These tools were offered to the session. */
  tools(names: readonly string[]): void
  /** It was given less in the handshake than it would be now. */
  outdated(): void
  /** The process that served this session alone has ended. */
  ownEnded(end: OwnEnd): void
}

export function passedThrough(config: Record<string, unknown>): GivenServer {
  return { identity: `cli ${JSON.stringify(config)}`, key: undefined, server: config }
}

/** What an own server offers is never held back. */
export function bridged(
  parts: BridgeParts,
  entry: ServerEntry,
  isOwn: boolean,
  listener: GivenListener,
): GivenServer {
  const { supervisor, pins, isToolOff, onOfferChange, elicit } = parts
  const key = supervisor.keyOf(entry)
  const pinKey = isOwn ? undefined : parts.pinKey(entry)
  const server = createBridge({
    name: entry.name,
    hold: (id) =>
      supervisor.hold(entry, {
        id,
        onElicitation: (request) => elicit(request),
        onOwnEnd: (end) => listener.ownEnded(end),
      }),
    offers: (tool) =>
      (pinKey === undefined || pins.offers(pinKey, tool)) && !isToolOff(entry.name, tool.name),
    offersInstructions: (text) => pinKey === undefined || pins.offersInstructions(pinKey, text),
    onOfferChange,
    onTools: (_, names) => listener.tools(names),
    onHandshakeOutdated: () => listener.outdated(),
  })
  return { identity: `${key} ${entry.sharing} ${entry.timeoutMs}`, key, server }
}
