import { useSyncExternalStore } from 'react'

export type DiffLayout = 'unified' | 'split'

const storageKey = 'dorkos.diff'
const listeners = new Set<() => void>()
const narrow = '(max-width: 640px)'

/** One choice for all diffs, kept by the browser. On a phone there is room for one column only. */
export function useDiffLayout(): [DiffLayout, (layout: DiffLayout) => void] {
  const layout = useSyncExternalStore(subscribe, current)
  return [layout, choose]
}

function current(): DiffLayout {
  return stored() === 'split' && !matchMedia(narrow).matches ? 'split' : 'unified'
}

/** When the browser keeps nothing, the choice holds for this page. */
let unkept: string | undefined

function stored(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? unkept
  } catch {
    return unkept
  }
}

function choose(layout: DiffLayout): void {
  unkept = layout
  try {
    localStorage.setItem(storageKey, layout)
  } catch {
    // Kept in memory alone then.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(narrow)
  query.addEventListener('change', listener)
  listeners.add(listener)
  return () => {
    query.removeEventListener('change', listener)
    listeners.delete(listener)
  }
}
