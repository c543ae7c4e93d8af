/** Uses a page as a person does, and counts what that takes. */
import { rest } from '../server/statistics.mjs'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** Clicks and taps, keys beside what is typed, letters that are typed, and the times that one has to scroll first. */
export class Counts {
  clicks = 0
  keys = 0
  letters = 0
  scrolls = 0

  /** What a person does beside writing. */
  get actions() {
    return this.clicks + this.keys + this.scrolls
  }

  /**
   * How long a practised person takes for it by the keystroke-level model (Card, Moran and Newell 1980): 1.1 s to point, 0.2 s to press and
   * let go, 0.28 s a key; scrolling is taken for pointing once more. What the page takes comes on top.
   */
  get personSeconds() {
    return this.clicks * 1.3 + this.scrolls * 1.1 + (this.keys + this.letters) * 0.28
  }
}

/** One device. Several may count together. */
export class CountingDriver {
  #page
  #counts
  #hasTouch

  /** @param {Page} page @param {Counts} counts @param {{ hasTouch: boolean }} options */
  constructor(page, counts, { hasTouch }) {
    this.#page = page
    this.#counts = counts
    this.#hasTouch = hasTouch
  }

  get page() {
    return this.#page
  }

  /** A click, or a tap. What is out of sight is scrolled to first, and that is counted. @param {Locator} target */
  async press(target) {
    await target.waitFor()
    await untilReady(target)
    if (!(await isInSight(target))) {
      this.#counts.scrolls++
      await target.scrollIntoViewIfNeeded()
    }
    this.#counts.clicks++
    if (this.#hasTouch) await target.tap()
    else await target.click()
  }

  /** Into what has the focus: who has to press a field first counts that. @param {string} words */
  async type(words) {
    const isField = await this.#page.evaluate(
      () => document.activeElement?.matches('input, textarea, [contenteditable]') ?? false,
    )
    if (!isField) throw new Error(`nothing to write “${words}” into has the focus`)
    this.#counts.letters += words.length
    await this.#page.keyboard.type(words)
  }

  /** @param {string} key */
  async key(key) {
    this.#counts.keys++
    await this.#page.keyboard.press(key)
  }

  /** Waits until a field has the focus: a page that takes it for the person is a moment late. */
  async untilField() {
    await this.#page.waitForFunction(() => document.activeElement?.matches('input, textarea') ?? false)
  }
}

/** Answers that allow take no press until they have been in sight for a while. @param {Locator} target */
async function untilReady(target) {
  while (
    await target.evaluate(
      (element) => element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true',
    )
  )
    await rest(20)
}

/** Its middle, where it is, without scrolling. @param {Locator} target */
function isInSight(target) {
  return target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    return there !== null && (element.contains(there) || there.contains(element))
  })
}
