/**
 * What the server says, in the page's words: by its reason and parameters. The sentences are many and few of them are ever shown, so they
 * come later than the page; until then, and for reasons that this page does not know, the server's own sentence stands.
 */
import type { Said } from '@dorkos/shared'
import { useSyncExternalStore } from 'react'
import { fetchLater } from '../ui/deferred.tsx'

let sentenceOf: ((said: Said) => string | undefined) | undefined
const listeners = new Set<() => void>()

const loadServerWords = fetchLater(loadWordsNow)

/**
 * For who was just answered: the server can be reached, whatever is known of the event stream. What waits for the stream would wait for
 * ever where the answer is that the token is no longer valid.
 */
export async function loadWordsNow(): Promise<void> {
  sentenceOf ??= (await import('./server-text.ts')).sentenceOf
  for (const changed of listeners) changed()
}

export function serverWords(said: Said | undefined, message: string): string {
  return (said && sentenceOf?.(said)) ?? message
}

/** For what is drawn before they are there. */
export function useServerWords(): typeof serverWords {
  const isLoaded = useSyncExternalStore(subscribe, hasWords, hasWords)
  if (!isLoaded) loadServerWords().catch(() => undefined)
  return serverWords
}

const hasWords = () => sentenceOf !== undefined

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
