/** Files on their way into a draft: being read, or not to be read. A message waits for them. */
import { useCallback, useSyncExternalStore } from 'react'
import { onForget } from '../auth/private-state.ts'

export interface ReadingFile {
  readonly id: string
  readonly file: File
  /** From 0 to 1. */
  readonly progress: number
  /** It could not be read; a person may try again. */
  readonly failed: boolean
}

const none: readonly ReadingFile[] = []
const reading = new Map<string, readonly ReadingFile[]>()
const listeners = new Set<() => void>()

export function readingFiles(draftKey: string): readonly ReadingFile[] {
  return reading.get(draftKey) ?? none
}

export function setReadingFiles(draftKey: string, files: readonly ReadingFile[]): void {
  if (files.length === 0) reading.delete(draftKey)
  else reading.set(draftKey, files)
  for (const listener of listeners) listener()
}

export function removeReadingFile(draftKey: string, id: string): void {
  setReadingFiles(
    draftKey,
    readingFiles(draftKey).filter((one) => one.id !== id),
  )
}

export function useReadingFiles(draftKey: string): readonly ReadingFile[] {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => readingFiles(draftKey), [draftKey]),
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

onForget(() => {
  for (const key of [...reading.keys()]) setReadingFiles(key, none)
})
