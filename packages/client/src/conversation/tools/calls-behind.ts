/**
 * Calls that have not begun though nobody was asked about them: the CLI takes the calls of an answer in their order, and what
 * stands behind one that a person is asked about waits with it.
 */
import type { Approval } from '@dorkos/shared'
import { createContext, useContext, useMemo, useRef } from 'react'
import type { Item, PageSession, ToolItem } from '../../live/page-session.ts'

const none: ReadonlySet<string> = new Set()

/** Their ids. Also those of subagents, each list for itself. */
export function callsBehind(
  items: readonly Item[],
  approvals: Readonly<Record<string, Approval>>,
): ReadonlySet<string> {
  if (!Object.values(approvals).some(({ state }) => state === 'pending')) return none
  const found = new Set<string>()
  collect(items.slice(items.findLastIndex(({ kind }) => kind === 'turn') + 1), found)
  return found.size === 0 ? none : found
}

function collect(items: readonly Item[], found: Set<string>): void {
  let isHeld = false
  for (const item of items) {
    if (item.kind !== 'tool') continue
    if (item.status === 'waiting') isHeld = true
    else if (isHeld && isUntouched(item)) found.add(item.callId)
    collect(item.children, found)
  }
}

/** Nothing shows that it runs. */
function isUntouched({ status, decision, progress, subagent, children }: ToolItem): boolean {
  const isSilent = progress === undefined && subagent === undefined && children.length === 0
  return status === 'running' && decision === undefined && isSilent
}

export const CallsBehindContext = createContext<ReadonlySet<string>>(none)

/** The same set as before while the same calls are in it: the conversation may grow meanwhile. */
export function useFoundBehind({ items, approvals }: PageSession): ReadonlySet<string> {
  const found = useMemo(() => callsBehind(items, approvals), [items, approvals])
  const kept = useRef(found)
  const isSame = found.size === kept.current.size && [...found].every((id) => kept.current.has(id))
  if (!isSame) kept.current = found
  return kept.current
}

export function useCallsBehind(): ReadonlySet<string> {
  return useContext(CallsBehindContext)
}
