/** Whether what has the focus looks different from what has not, for all that keys can reach. */
import type { Page } from 'playwright-core'

/** Colours and rings are there at once: what is looked at is where changes lead, not their middle. */
export async function withoutTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition-property: none !important }')
    document.adoptedStyleSheets = [still]
  })
}

/** What looks the same with the focus and without it, by its markup: of all that keys reach within the place. */
export async function unseenFocus(
  page: Page,
  selector: string,
): Promise<{ reached: number; unseen: string[] }> {
  await withoutTransitions(page)
  // Focus that a script moves is drawn as after a key only if a key came last.
  await page.keyboard.press('Shift')
  return page.locator(selector).evaluate((within) => {
    const reachable =
      'a[href], button, input, textarea, select, summary, iframe, [tabindex], [contenteditable]'
    const isReached = (element: HTMLElement) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      element.checkVisibility({ visibilityProperty: true }) &&
      element.closest('[inert]') === null

    /** Rings and borders only: another shade of the ground alone is too little. */
    const edges = (element: Element) => {
      const style = getComputedStyle(element)
      const ring = [style.outlineWidth, style.outlineStyle, style.outlineColor].join(' ')
      const isNone = /^0px|\bnone\b|transparent|, 0\)|\/ 0\)/.test(ring)
      return [isNone ? '' : ring, style.boxShadow, style.borderTopWidth, style.borderTopColor].join(' | ')
    }
    /** Some fields leave it to the box around them, and some to what stands beside them. */
    const look = (element: Element) => {
      const around: Element[] = [element]
      for (let up = element.parentElement; up && around.length < 4; up = up.parentElement) around.push(up)
      return [...around, ...(element.parentElement?.children ?? [])].map(edges).join('\n')
    }

    const before = document.activeElement
    const unseen: string[] = []
    const all = [...within.querySelectorAll<HTMLElement>(reachable)].filter(isReached)
    for (const element of all) {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      const without = look(element)
      element.focus({ preventScroll: true })
      const { activeElement } = document
      // A list of tabs hands it on to one of them, which has its own turn.
      if (activeElement !== element && element.contains(activeElement)) continue
      if (activeElement !== element || look(element) === without) unseen.push(element.outerHTML.slice(0, 200))
    }
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    return { reached: all.length, unseen }
  })
}
