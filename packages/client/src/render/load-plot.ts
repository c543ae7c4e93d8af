import { loadPart } from '../ui/load-part.ts'

/** Loads the plot library when it is first needed. */
export function loadPlot(): Promise<typeof import('./uplot-module.ts')> {
  return withUsableLanguage(navigator, () => loadPart(() => import('./uplot-module.ts')))
}

/**
 * The library formats numbers in the browser's language as soon as it is loaded, and some browsers have one that `Intl` refuses, such as
 * `en-US@posix`. They have another one while it loads.
 */
export async function withUsableLanguage<T>(
  browser: { language: string },
  work: () => Promise<T>,
): Promise<T> {
  if (isUsable(browser.language)) return work()
  const before = Object.getOwnPropertyDescriptor(browser, 'language')
  Object.defineProperty(browser, 'language', { value: 'en', configurable: true })
  try {
    return await work()
  } finally {
    if (before) Object.defineProperty(browser, 'language', before)
    else Reflect.deleteProperty(browser, 'language')
  }
}

function isUsable(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length >= 0
  } catch {
    return false
  }
}
