/** Loads a screen that was gone to. */
import { isMissingPart } from '../ui/error-kind.ts'
import { loadPart } from '../ui/load-part.ts'

const prefix = 'dorkos.reloaded.'
const againMs = 60_000

/**
 * One that does not come needs a new page, from the same address: the browser gives the old one nothing else. Drafts and what waits to
 * be sent are kept by the browser. A second time for the same screen soon after is a fault to show.
 */
export async function loadScreen<T>(
  load: () => Promise<T>,
  browser = { reload: () => location.reload(), now: Date.now },
): Promise<T> {
  try {
    return await loadPart(load)
  } catch (error) {
    const key = prefix + location.pathname
    const last = Number(sessionStorage.getItem(key))
    if (!isMissingPart(error) || browser.now() - last < againMs) throw error
    sessionStorage.setItem(key, String(browser.now()))
    browser.reload()
    return new Promise(() => {})
  }
}
