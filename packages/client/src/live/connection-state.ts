/** How the page stands with the server. */
export interface Connection {
  /** `connecting`: for the first time. `offline`: the browser says that it has no network, and no answer came. */
  readonly state: 'connecting' | 'open' | 'reconnecting' | 'offline'
  /** Tries since the connection broke. */
  readonly attempt: number
  /** When the next try begins, by this browser's clock. */
  readonly retryAt: number | undefined
  /** When the server was last heard, as of the last change of `state`. */
  readonly lastHeardAt: number | undefined
  /** What was missed is coming in. */
  readonly catchingUp: boolean
}

export const notConnected: Connection = {
  state: 'connecting',
  attempt: 0,
  retryAt: undefined,
  lastHeardAt: undefined,
  catchingUp: false,
}

/** The same, as of a moment. */
export interface ConnectionView extends Connection {
  readonly retryInMs: number | undefined
  readonly lastHeard: number | undefined
  /** Milliseconds since the server was heard, while the connection is not open. */
  readonly behind: number
}

export function connectionAt(connection: Connection, now: number): ConnectionView {
  const { state, retryAt, lastHeardAt } = connection
  return {
    ...connection,
    retryInMs: retryAt === undefined ? undefined : Math.max(0, retryAt - now),
    lastHeard: lastHeardAt,
    behind: state === 'open' || lastHeardAt === undefined ? 0 : Math.max(0, now - lastHeardAt),
  }
}
