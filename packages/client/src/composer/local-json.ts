/** Small things of a person's that this browser remembers. Storage can be full, switched off, or hold anything: then there is nothing. */
import { isPrivateKey, mayKeep } from '../auth/private-state.ts'

export function readJson(key: string): unknown {
  try {
    const stored = localStorage.getItem(key)
    return stored === null ? undefined : JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** False when it could not be kept. */
export function writeJson(key: string, value: unknown): boolean {
  if (value !== undefined && isPrivateKey(key) && !mayKeep()) return false
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

export function keysWith(prefix: string): string[] {
  try {
    return Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '').filter(
      (key) => key.startsWith(prefix),
    )
  } catch {
    return []
  }
}
