import { useSyncExternalStore } from 'react'

export type PageTheme = 'light' | 'dark'

/** What is shown now: the choice of the user, else that of the system. For what cannot follow CSS variables: canvases and frames. */
export function usePageTheme(): PageTheme {
  return useSyncExternalStore(subscribe, pageTheme)
}

const darkQuery = '(prefers-color-scheme: dark)'

function pageTheme(): PageTheme {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia(darkQuery).matches ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(darkQuery)
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  query.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    query.removeEventListener('change', listener)
  }
}
