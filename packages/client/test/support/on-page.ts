/** Parts of a session's page, as a person finds them. */
import { pagePaths } from '@dorkos/shared'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { text } from '../../src/text/page-text.ts'

/** What was said and done. The words for screen readers, which repeat some of it, stand elsewhere. */
export function conversation(page: Page): Locator {
  return page.getByRole('region', { name: text.conversation.list, exact: true })
}

/** A paragraph of these words, of whomever. */
export function said(page: Page, words: string | RegExp): Locator {
  return conversation(page).getByText(words, { exact: true })
}

/** A text box, or a combobox while it suggests something. */
export function composer(page: Page): Locator {
  return page.getByLabel(text.composer.label, { exact: true })
}

export async function send(page: Page, message: string): Promise<void> {
  await composer(page).fill(message)
  await composer(page).press('Enter')
}

export function button(scope: Page | Locator, name: string | RegExp): Locator {
  return scope.getByRole('button', { name, exact: true })
}

/** To another screen of the page that is open, as a link leads there. What is drawn then is that screen, or that it is loading. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(async (to) => {
    history.pushState(null, '', to)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, path)
}

/** So high that nothing of a conversation is out of sight, and so all of it is in the document. */
export const makeTall = (page: Page) => page.setViewportSize({ width: 1280, height: 3000 })

/** For `expect.poll`. */
export const polling = { timeout: 40_000 }

export const hasFocus = (locator: Locator) =>
  expect.poll(() => locator.evaluate((element) => element === document.activeElement), polling).toBe(true)

/** Whole, where it is, without scrolling. */
export const isInSight = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    // A round corner is not the element's.
    const corners = [
      [left + 4, top + 4],
      [right - 4, bottom - 4],
    ] as const
    return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)))
  })

/** Every screen that needs no name in its address: a new one is looked at by all tests that go through them. */
export const screens: readonly string[] = pagePaths.filter((path) => !path.includes(':'))
