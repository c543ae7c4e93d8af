/** What can be seen or heard on a page and stands outside of the marks of `mark.ts`. */
import type { Page } from 'playwright-core'

/** Data, and what `Intl` makes: named by the element's own text or by where it stands. */
export interface Data {
  /** Elements that hold nothing but data: a title, a path, what a model said. */
  selectors: readonly string[]
  /** Texts that are data wherever they stand. */
  texts: readonly RegExp[]
}

export async function unmarkedWords(page: Page, { selectors, texts }: Data): Promise<string[]> {
  const found = await page.evaluate((dataSelector) => {
    const spoken = ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt']
    const isData = (element: Element) => dataSelector !== '' && element.closest(dataSelector) !== null
    const outside: string[] = []

    /** Of texts that follow one another, what is not between marks. */
    const rest = (parts: readonly string[]) => {
      let depth = 0
      return parts.map((part) =>
        [...part]
          .filter((sign) => {
            if (sign === '⟦') depth++
            const isOutside = depth === 0
            if (sign === '⟧') depth = Math.max(0, depth - 1)
            return isOutside && sign !== '⟧'
          })
          .join(''),
      )
    }
    const note = (words: string, where: Element) => {
      const text = words.replace(/\s+/g, ' ').trim()
      const chain = [where, where.parentElement, where.parentElement?.parentElement]
      const path = chain
        .map((one) => one && `${one.tagName.toLowerCase()}${one.id ? `#${one.id}` : ''}`)
        .join(' < ')
      if (/\p{L}{2,}/u.test(text)) outside.push(`${text}\u0000${path}`)
    }

    for (const element of document.querySelectorAll('*')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || isData(element)) continue
      for (const name of spoken) {
        const value = element.getAttribute(name)
        if (value !== null) note(rest([value]).join(''), element)
      }
    }
    // A sentence can be spread over several elements, but not over blocks.
    const blockOf = (node: Node) => {
      let element = node.parentElement
      while (element && getComputedStyle(element).display.startsWith('inline'))
        element = element.parentElement
      return element
    }
    const blocks = new Map<Element, Text[]>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const block = blockOf(node)
      const parent = node.parentElement
      if (!block || !parent || !/\S/.test(node.nodeValue ?? '')) continue
      if (!parent.checkVisibility({ visibilityProperty: true })) continue
      blocks.set(block, [...(blocks.get(block) ?? []), node as Text])
    }
    for (const nodes of blocks.values())
      rest(nodes.map((node) => node.data)).forEach((words, at) => {
        const parent = nodes[at]?.parentElement
        if (parent && !isData(parent)) note(words, parent)
      })
    return outside
  }, selectors.join(', '))
  return [...new Set(found)]
    .map((one) => one.split('\u0000') as [string, string])
    .filter(([words]) => !texts.some((pattern) => pattern.test(words)))
    .map(([words, path]) => `“${words}” in ${path}`)
}
