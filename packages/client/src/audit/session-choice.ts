/** Sessions to choose from by their titles, which need not be unique; what is typed is one of them, or an id. Pure. */
import type { Session } from '@dorkos/shared'
import { sessionTitle } from '../sessions/session-title.ts'
import { isSessionId } from './audit-filter.ts'

export interface SessionChoice {
  readonly id: string
  /** Unlike that of every other. */
  readonly label: string
}

export function sessionChoices(sessions: readonly Session[]): SessionChoice[] {
  const titles = sessions.map((session) => sessionTitle(session).trim())
  const times = new Map<string, number>()
  for (const title of titles) times.set(title, (times.get(title) ?? 0) + 1)
  return sessions.map(({ id }, index) => {
    const title = titles[index] ?? ''
    const isPlain = times.get(title) === 1 && !isSessionId(title)
    return { id, label: isPlain ? title : `${title} (${id.slice(0, 8)})` }
  })
}

/** The session that was meant; undefined where it is none of them, or not yet. */
export function chosenSession(typed: string, choices: readonly SessionChoice[]): string | undefined {
  const words = typed.trim()
  const same = choices.find(({ label }) => label === words)
  if (same) return same.id
  const id = words.toLowerCase()
  return isSessionId(id) ? id : undefined
}

/** Whether going on to type can still lead to one. */
export function leadsToSession(typed: string, choices: readonly SessionChoice[]): boolean {
  const words = typed.trim().toLowerCase()
  return choices.some(({ id, label }) => label.toLowerCase().includes(words) || id.startsWith(words))
}
