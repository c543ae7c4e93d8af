/** What axe finds wrong with a page, in both themes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { withoutTransitions } from './look-of-focus.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Scan {
  isCovered: boolean
  /** The rules about colours, and no others. */
  onlyColours?: true
}

/** What a scan finds, in a few words. Run by the debugger, the scanner needs nothing of the page's policy. */
async function violations(page: Page, { isCovered, onlyColours }: Scan): Promise<string[]> {
  // What lies over the page is in no landmark, and need not be.
  const some = onlyColours
    ? { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
    : { rules: { region: { enabled: !isCovered } } }
  const options = { resultTypes: ['violations'], ...some }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      (node) =>
        `${id} (${impact}): ${node.target.join(' ')} | ${node.html.slice(0, 160)} | ${node.failureSummary}`,
    ),
  )
}

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

/** All that is wrong with what the page shows now, in one theme and then in the other. */
export async function axeFaults(page: Page, name: string, isCovered = false): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe}; undefined`)
  await withoutTransitions(page)
  const found: string[] = []
  const grounds = new Set<string>()
  const scan = async (colorScheme: 'light' | 'dark', rules: Scan) => {
    await page.emulateMedia({ colorScheme })
    grounds.add(await ground(page))
    found.push(...(await violations(page, rules)).map((one) => `${name}, ${colorScheme}: ${one}`))
  }
  await scan('light', { isCovered })
  // The same elements in other colours.
  await scan('dark', { isCovered, onlyColours: true })
  expect(grounds.size).toBe(2)
  return found
}
