/** Servers that a person does not want to sign in to from a session. It goes with all else of theirs when they sign out. */
import { useRemembered } from '../browser/remembered.ts'

const key = 'dorkos.mcp-sign-ins.hidden'
const most = 200

export interface HiddenSignIns {
  has(server: string): boolean
  add(server: string): void
}

export function useHiddenSignIns(sessionId: string): HiddenSignIns {
  const [stored, store] = useRemembered(key)
  const all = readHidden(stored)
  const nameOf = (server: string) => `${sessionId} ${server}`
  return {
    has: (server) => all.includes(nameOf(server)),
    add: (server) => store(JSON.stringify([...all, nameOf(server)].slice(-most))),
  }
}

/** Storage can hold anything. */
export function readHidden(stored: string | undefined): readonly string[] {
  try {
    const names: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(names) ? names.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
