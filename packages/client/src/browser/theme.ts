/** Dark, light, or as the system is. public/theme.js does the same before the first paint. */
import { onRemembered, remember, remembered, useRemembered } from './remembered.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'dorkos.theme'
const colors = { light: '#faf9f7', dark: '#171614' }

export function readTheme(stored: string | undefined): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function setTheme(theme: Theme): void {
  remember(key, theme === 'system' ? undefined : theme)
}

export function useTheme(): Theme {
  const [stored] = useRemembered(key)
  return readTheme(stored)
}

/** Keeps the document as chosen, also when another tab chooses. */
export function followTheme(): () => void {
  const apply = () => applyTheme(readTheme(remembered(key)))
  apply()
  return onRemembered(apply)
}

function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = colors[theme === 'system' ? own : theme]
  }
}
