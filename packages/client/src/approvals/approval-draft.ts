/** What a person has begun to answer. It outlives a reload of the tab, and goes when the approval is decided. */
import { useCallback, useState } from 'react'

const prefix = 'dorkos.answer.'

/** `part` names one of several drafts of an approval, such as its edited input. */
export function useApprovalDraft<T>(
  approvalId: string,
  part: string,
  initial: T,
  isDraft: (value: unknown) => value is T,
): [T, (next: T) => void] {
  const key = `${prefix}${approvalId}.${part}`
  const [value, setValue] = useState<T>(() => readDraft(key, isDraft) ?? initial)
  const set = useCallback(
    (next: T) => {
      setValue(next)
      store(key, next)
    },
    [key],
  )
  return [value, set]
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function readDraft<T>(key: string, isDraft: (value: unknown) => value is T): T | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isDraft(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

/** Where there is no room or no storage, the draft lives as long as the page. */
function store(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Nothing to do: the state of the component has it.
  }
}

export function forgetDrafts(approvalId: string): void {
  try {
    const mine = Object.keys(sessionStorage).filter((key) => key.startsWith(`${prefix}${approvalId}.`))
    for (const key of mine) sessionStorage.removeItem(key)
  } catch {
    // No storage, no drafts.
  }
}
