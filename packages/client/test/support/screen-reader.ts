/**
 * A page as somebody has it who neither sees it nor points: what has the focus by its role and name, as the browser tells screen readers,
 * and what was said by itself.
 */
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { polling } from './on-page.ts'

export interface Stop {
  role: string
  name: string
}

/** Containers that take the focus from a script, such as a heading, have no need of a name of their own. */
const named = new Set([
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'switch', 'tab'],
  ...['menuitem', 'menuitemradio', 'option', 'treeitem', 'slider', 'spinbutton'],
])

export class ScreenReader {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  static async of(page: Page): Promise<ScreenReader> {
    const session = await page.context().newCDPSession(page)
    await session.send('Accessibility.enable')
    return new ScreenReader(page, session)
  }

  /** What has the focus. */
  async focused(): Promise<Stop> {
    const { result } = await this.#session.send('Runtime.evaluate', { expression: 'document.activeElement' })
    const { nodes } = await this.#session.send('Accessibility.getPartialAXTree', {
      ...(result.objectId !== undefined && { objectId: result.objectId }),
      fetchRelatives: false,
    })
    const [node] = nodes
    return { role: String(node?.role?.value ?? ''), name: String(node?.name?.value ?? '').trim() }
  }

  /** Where the focus is, whoever moved it there. */
  async isAt(role: string, name: string | RegExp): Promise<void> {
    const matching = { role, name: typeof name === 'string' ? name : expect.stringMatching(name) }
    await expect.poll(() => this.focused(), polling).toEqual(matching)
  }

  /**
   * Goes on by Tab until it is there. All that is passed has a name and a role, and stands in the document in the order in which it is
   * reached.
   */
  async tabTo(role: string, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const passed: Stop[] = []
    for (let n = 0; n < 90; n++) {
      const order = await this.#press(key)
      const stop = await this.focused()
      passed.push(stop)
      if (named.has(stop.role) && stop.name === '') throw new Error(`no name: ${JSON.stringify(passed)}`)
      if (order === 'astray') throw new Error(`out of order: ${JSON.stringify(passed)}`)
      if (stop.role === role && (typeof name === 'string' ? stop.name === name : name.test(stop.name))) return
    }
    throw new Error(`${key} does not lead to ${role} ${name}: ${JSON.stringify(passed)}`)
  }

  /** Goes down a menu or a list that moves the focus itself, a moment after the key. */
  async arrowTo(role: string, name: string): Promise<void> {
    for (let n = 0; n < 30; n++) {
      const before = await this.focused()
      if (before.role === role && before.name === name) return
      await this.#page.keyboard.press('ArrowDown')
      await expect.poll(() => this.focused(), polling).not.toEqual(before)
    }
    throw new Error(`the arrows do not lead to ${role} ${name}`)
  }

  /** Keys that are pressed one after the other. */
  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  async type(words: string): Promise<void> {
    await this.#page.keyboard.type(words)
  }

  /** Notes from here on what regions that speak by themselves come to hold. A new document begins anew. */
  async listen(): Promise<void> {
    await this.#page.evaluate(() => {
      const heard: string[] = []
      const note = (node: Node) => {
        const element = node instanceof Element ? node : node.parentElement
        const region = element?.closest('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')
        const words = node.textContent?.trim() ?? ''
        if (region && words !== '') heard.push(words)
      }
      new MutationObserver((records) => {
        for (const { type, target, addedNodes } of records) {
          if (type === 'characterData') note(target)
          for (const node of addedNodes) note(node)
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
      Object.assign(window, { heardWords: heard })
    })
  }

  /** Somewhere in what was said by itself. */
  async heard(words: string): Promise<void> {
    const all = () => this.#page.evaluate(() => (window as { heardWords?: string[] }).heardWords?.join('\n'))
    await expect.poll(all, polling).toContain(words)
  }

  async #press(key: 'Tab' | 'Shift+Tab'): Promise<'in order' | 'around' | 'astray'> {
    const before = await this.#page.evaluateHandle(() => document.activeElement)
    await this.#page.keyboard.press(key)
    return before.evaluate((from, isForward) => {
      const to = document.activeElement
      if (!from || !to || from === document.body || to === document.body || from === to) return 'around'
      if (!from.isConnected) return 'around'
      const isAfter = (from.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      if (isAfter === isForward) return 'in order'
      // From the last to the first: a window keeps the focus to itself.
      const within = to.closest('dialog') ?? document.body
      const all = [...within.querySelectorAll<HTMLElement>('a[href], button, input, textarea, [tabindex]')]
      const reachable = all.filter((one) => one.tabIndex >= 0 && one.checkVisibility())
      return reachable.indexOf(to as HTMLElement) <= 1 || to.closest('dialog') ? 'around' : 'astray'
    }, key === 'Tab')
  }
}
