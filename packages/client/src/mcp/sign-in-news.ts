/** The tab where a sign-in ends notifies the tab where it began that it did not work. That it did work, the server publishes to all. */

export interface FailedSignIn {
  /** Which one it is. It is of no use to anybody by now. */
  state: string
  fault: string
}

const channelName = 'dorkos.mcp-sign-in'

export function sendSignInFailed(failed: FailedSignIn): void {
  const channel = openChannel()
  channel?.postMessage(failed)
  channel?.close()
}

/** Calls `notify` when the sign-in with this state fails. Returns what ends that. */
export function onSignInFailed(state: string, notify: (fault: string) => void): () => void {
  const channel = openChannel()
  if (!channel) return () => {}
  channel.onmessage = ({ data }) => {
    if (isFailure(data) && data.state === state) notify(data.fault)
  }
  return () => channel.close()
}

function isFailure(data: unknown): data is FailedSignIn {
  if (typeof data !== 'object' || data === null) return false
  const { state, fault } = data as Partial<Record<keyof FailedSignIn, unknown>>
  return typeof state === 'string' && typeof fault === 'string'
}

function openChannel(): BroadcastChannel | undefined {
  return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)
}
