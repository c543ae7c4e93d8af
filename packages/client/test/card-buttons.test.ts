/** The buttons of an approval stand together at every usual width: none is left over on a line of its own. */
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage()
const t = text.approvals

/** Buttons that stand alone on a line, and those that do not fit. One that is as wide as the others together belongs where it is. */
async function leftOver(page: Page): Promise<string[]> {
  const group = page.getByRole('group', { name: t.actions.group })
  await group.waitFor()
  const boxes = await group.getByRole('button').evaluateAll((all) =>
    all.map((one) => {
      const { top, left, right } = one.getBoundingClientRect()
      return { name: one.textContent ?? '', top: Math.round(top), left, right }
    }),
  )
  expect(boxes.length).toBeGreaterThanOrEqual(5)
  const whole = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
  const isAlone = (box: (typeof boxes)[number]) =>
    boxes.every((other) => other === box || other.top !== box.top) && box.right - box.left < whole * 0.9
  const width = await page.evaluate(() => innerWidth)
  return boxes.filter((box) => isAlone(box) || box.right > width).map(({ name }) => name)
}

it('no button of a card is alone on its line', async () => {
  const session = await used.start([
    toolUse('Bash', { command: 'echo a > a', description: 'a test' }),
    'Done.',
  ])
  const { page } = await used.open(`/sessions/${session.id}`)
  for (const width of [1440, 1280, 1024, 768, 640]) {
    await page.setViewportSize({ width, height: 820 })
    expect([width, await leftOver(page)]).toEqual([width, []])
  }
  const { page: small } = await used.open(`/sessions/${session.id}`, phone)
  expect(await leftOver(small)).toEqual([])
  await small.setViewportSize({ width: 340, height: 700 })
  expect(await leftOver(small)).toEqual([])
})
