/** Small choices that this browser keeps: in localStorage, and in memory where that is not to be had. */
import { useSyncExternalStore } from 'react'
import { isPrivateKey, mayKeep, onForget } from '../auth/private-state.ts'

const memory = new Map<string, string>()
const listeners = new Set<() => void>()

export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? memory.get(key)
  } catch {
    return memory.get(key)
  }
}

/** Undefined forgets it. */
export function remember(key: string, value: string | undefined): void {
  if (value === undefined) memory.delete(key)
  else memory.set(key, value)
  try {
    if (value === undefined) localStorage.removeItem(key)
    else if (!isPrivateKey(key) || mayKeep()) localStorage.setItem(key, value)
  } catch {
    // Private windows and full disks: then it lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

onForget(() => {
  for (const key of [...memory.keys()].filter(isPrivateKey)) memory.delete(key)
})

export function onRemembered(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** One choice, the same in all components and tabs. */
export function useRemembered(key: string): [string | undefined, (value: string | undefined) => void] {
  const value = useSyncExternalStore(onRemembered, () => remembered(key))
  return [value, (next) => remember(key, next)]
}
