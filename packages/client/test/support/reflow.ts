/** What a narrow or enlarged page loses: it grows sideways, cuts words off, or has controls that nobody can come to. */
import type { Page } from 'playwright-core'

export interface Reflow {
  /** Controls that were looked at. */
  controls: number
  lost: string[]
}

/** Of what the page shows now. Scrolls in it. */
export function reflowOf(page: Page): Promise<Reflow> {
  return page.evaluate(() => {
    const lost: string[] = []
    const top = document.querySelector('dialog[open]:modal') ?? document.body
    const name = (element: Element) => element.outerHTML.replace(/ class="[^"]*"/g, '').slice(0, 140)
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert], [aria-hidden=true]') === null
    /** For screen readers alone. */
    const isTiny = ({ width, height }: DOMRect) => width <= 1 || height <= 1

    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth) lost.push(`the page is ${scrollWidth} px wide`)

    /** Tables, code, pictures and rows of tabs may scroll sideways, each by itself. Nothing else may. */
    const mayScroll = (element: Element) =>
      element.matches('pre, figure, figure *, textarea, input, nav, [role=tablist]') ||
      element.querySelector(':scope > :is(table, pre, svg, nav, [role=tablist])') !== null
    for (const element of top.querySelectorAll('*')) {
      const isWide = element.scrollWidth > element.clientWidth + 1
      if (!isWide || !isSeen(element) || mayScroll(element)) continue
      if (/auto|scroll/.test(getComputedStyle(element).overflowX))
        lost.push(`scrolls sideways: ${name(element)}`)
    }

    /** What keeps a part of the rectangle from sight, where nobody can scroll to it and no dots say that there is more. */
    const cutBy = (element: Element, rect: DOMRect): Element | undefined => {
      for (let around: Element | null = element; around; around = around.parentElement) {
        const style = getComputedStyle(around)
        if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') return undefined
        const frame = around.getBoundingClientRect()
        if (isTiny(frame)) return undefined
        if (/auto|scroll/.test(style.overflowX)) return undefined
        const isOut = rect.left < frame.left - 2 || rect.right > frame.right + 2
        if (isOut && /hidden|clip/.test(style.overflowX)) return around
        if (style.position === 'fixed') break
      }
      const isOut = rect.left < -2 || rect.right > innerWidth + 2
      return isOut ? document.documentElement : undefined
    }

    const words = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const element = node.parentElement
      if (!element || node.textContent?.trim() === '' || !isSeen(element)) continue
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        const by = isTiny(rect) ? undefined : cutBy(element, rect)
        if (by) lost.push(`“${node.textContent?.trim().slice(0, 60)}” is cut off by ${name(by)}`)
      }
    }

    const selector =
      'a[href], button:not([tabindex="-1"]), input, select, textarea, summary, [role=tab], [role=treeitem]'
    let controls = 0
    for (const control of top.querySelectorAll<HTMLElement>(selector)) {
      if (!isSeen(control) || isTiny(control.getBoundingClientRect())) continue
      controls++
      control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      const [first] = control.getClientRects()
      if (!first) continue
      if (cutBy(control, first)) lost.push(`cut off: ${name(control)}`)
      const there = document.elementFromPoint(first.left + first.width / 2, first.top + first.height / 2)
      const label = control.closest('label')
      const isThere = there && (control.contains(there) || there.contains(control) || label?.contains(there))
      if (!isThere) lost.push(`${name(control)} is covered by ${there ? name(there) : 'the edge'}`)
    }
    return { controls, lost }
  })
}
