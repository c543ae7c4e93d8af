/** What is greyed and does not say why: nothing beside it or in it does, and no press tells. */
import type { Page } from 'playwright-core'

interface Greyed {
  /** By their markup. */
  readonly unexplained: readonly string[]
  /** Those that say it when they are pressed: each by a selector, with its words. */
  readonly asking: readonly { selector: string; reason: string }[]
  /** All that are greyed. */
  readonly count: number
}

async function greyedOn(page: Page): Promise<Greyed> {
  return page.evaluate(() => {
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert]') === null
    const isOff = (element: Element) =>
      element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true'
    /** Fields look it by themselves; a button that looks as ever is only not to be pressed for a moment. */
    const looksIt = (element: Element) => {
      if (element.matches('input, select, textarea, option')) return true
      for (let one: Element | null = element; one; one = one.parentElement)
        if (Number(getComputedStyle(one).opacity) < 1) return true
      return getComputedStyle(element).cursor === 'not-allowed'
    }
    const isBusy = (element: Element) => {
      const around = element.closest('fieldset, form, dialog, [role=group]') ?? element
      return element.closest('[aria-busy=true]') !== null || around.querySelector('[aria-busy=true]') !== null
    }
    const wordsOf = (element: Element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(/\s+/)
        .map((id) => document.getElementById(id))
        .filter((one) => one !== null && isSeen(one) && one.getBoundingClientRect().width > 1)
        .map((one) => one?.textContent?.trim() ?? '')
        .join(' ')
        .trim()
    // A list of tasks that somebody wrote is text.
    const all = [
      ...document.querySelectorAll(
        'button, input:not(li > input[type=checkbox], li p > input[type=checkbox]), select, textarea, option, [role^=menuitem], [role=switch]',
      ),
    ].filter((element) => isSeen(element) && isOff(element) && looksIt(element) && !isBusy(element))
    const unexplained: string[] = []
    const asking: { selector: string; reason: string }[] = []
    for (const [index, element] of all.entries()) {
      const card = element.closest('article[aria-describedby]')
      const isEmptyField = element.matches('textarea:placeholder-shown')
      if (isEmptyField || wordsOf(element) !== '' || (card && wordsOf(card) !== '')) continue
      const reason = element.getAttribute('title') ?? ''
      // What it says on a press would be below a window.
      if (reason !== '' && element.matches('button:not(:disabled)') && element.closest('dialog') === null) {
        element.setAttribute('data-greyed', `${index}`)
        asking.push({ selector: `[data-greyed="${index}"]`, reason })
      } else unexplained.push(element.outerHTML.replace(/ class="[^"]*"/g, '').slice(0, 200))
    }
    return { unexplained, asking, count: all.length }
  })
}

/** Presses what says why only then, and what it says has to be seen. */
export async function unexplained(page: Page): Promise<{ count: number; found: string[] }> {
  const { unexplained: silent, asking, count } = await greyedOn(page)
  const found = [...silent]
  for (const { selector, reason } of asking) {
    // Keys reach it as well.
    await page.locator(selector).dispatchEvent('click')
    const told = page.getByRole('status').getByText(reason, { exact: true }).filter({ visible: true })
    const isTold = await told
      .first()
      .waitFor({ timeout: 10_000 })
      .then(() => true)
      .catch(() => false)
    if (!isTold) found.push(`${selector} does not say “${reason}”`)
  }
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('[data-greyed]')) one.removeAttribute('data-greyed')
  })
  return { count, found }
}
