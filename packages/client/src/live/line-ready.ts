import { live } from './live.ts'

/** Resolves when the server is heard; at once where nothing says that it is not, as before the first connection. */
export function lineReady(): Promise<void> {
  const { connection } = live.store
  const isCut = () => {
    const { state } = connection.now()
    return state === 'reconnecting' || state === 'offline'
  }
  if (!isCut()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = connection.subscribe(() => {
      if (isCut()) return
      stop()
      resolve()
    })
  })
}
