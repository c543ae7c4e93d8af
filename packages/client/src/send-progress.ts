/** How much of a large request the server has, by its idempotency key: from 0 to 1. */
const progress = new Map<string, number>()
const listeners = new Set<() => void>()

export function sendProgress(key: string): number | undefined {
  return progress.get(key)
}

/** Undefined: it is over. */
export function noteSendProgress(key: string, part: number | undefined): void {
  if (part === undefined) progress.delete(key)
  else progress.set(key, part)
  for (const listener of listeners) listener()
}

export function onSendProgress(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
