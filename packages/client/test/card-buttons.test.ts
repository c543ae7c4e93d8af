/**
 * The buttons of an approval stand together at every usual width: none is left over on a line of its own. What they open is in sight
 * with its own buttons.
 */
import { text as paragraph, reply, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import type { Answer } from '../../server/test/support/prompts.ts'
import { text } from '../src/text/page-text.ts'
import { button, conversation, hasFocus, isInSight, polling } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const t = text.approvals

/** A call that waits, for all tests. More than fits stands above it, so that its card is at the lower end. */
let session: Conversation
beforeAll(async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `Line ${index}.`).join('\n\n')
  const call = toolUse('Bash', { command: 'echo a > a', description: 'a test' })
  session = await used.start([reply([paragraph(lines), call]), 'Done.'])
  await session.watch.next('approval_required')
})

/** Buttons that stand alone on a line, and those that do not fit or whose words do not. One that is as wide as the others together belongs where it is. */
async function leftOver(page: Page, atLeast: number): Promise<string[]> {
  const group = page.getByRole('group', { name: t.actions.group })
  await group.waitFor()
  const boxes = await group.getByRole('button').evaluateAll((all) =>
    all.map((one) => {
      const { top, left, right } = one.getBoundingClientRect()
      const isCut = one.scrollWidth > one.clientWidth + 1
      return { name: one.textContent ?? '', top: Math.round(top), left, right, isCut }
    }),
  )
  expect(boxes.length).toBeGreaterThanOrEqual(atLeast)
  const whole = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
  const isAlone = (box: (typeof boxes)[number]) =>
    boxes.every((other) => other === box || other.top !== box.top) && box.right - box.left < whole * 0.9
  const width = await page.evaluate(() => innerWidth)
  return boxes.filter((box) => isAlone(box) || box.isCut || box.right > width).map(({ name }) => name)
}

/** The CLI names the file in which it wants the plan. */
const writePlan: Answer = (request) => {
  const file = /[^\s"\\]*\/plans\/[^\s"\\]*\.md/.exec(JSON.stringify(request.body))?.[0]
  return toolUse('Write', { file_path: file, content: '# A plan\n\nDo it.' })
}

it('no button of a plan is alone on its line; sending it back is apart, and no smaller than what grants most', async () => {
  const answers = [writePlan, toolUse('ExitPlanMode', {}), 'Done.']
  const planning = await used.start(answers, { permission_mode: 'plan' })
  const { page } = await used.open(`/sessions/${planning.id}`)
  const group = page.getByRole('group', { name: t.actions.group })
  const boxOf = async (name: string) => {
    const box = await button(group, new RegExp(`^${name}`)).boundingBox()
    if (!box) throw new Error(`${name} is not shown`)
    return box
  }
  for (const width of [1440, 1280, 1024, 900]) {
    await page.setViewportSize({ width, height: 820 })
    await expect.poll(() => leftOver(page, 4), polling).toEqual([])
    const [back, broad, edit] = await Promise.all(
      [t.plan.keepPlanning, t.plan.approveEdits, t.plan.edit].map(boxOf),
    )
    expect(back?.width).toBeGreaterThanOrEqual(broad?.width ?? 0)
    expect(back?.height).toBeGreaterThanOrEqual(broad?.height ?? 0)
    expect(back?.x).toBeGreaterThan((edit?.x ?? 0) + (edit?.width ?? 0))
    const card = await group.boundingBox()
    expect(Math.round((back?.x ?? 0) + (back?.width ?? 0))).toBe(
      Math.round((card?.x ?? 0) + (card?.width ?? 0)),
    )
    expect(await button(group, new RegExp(`^${t.plan.keepPlanning}`)).isEnabled()).toBe(true)
  }
  // Where there is less room they are alike, side by side, and what grants more is not one tap away.
  for (const width of [768, 640, 390, 340]) {
    await page.setViewportSize({ width, height: 820 })
    await expect.poll(() => leftOver(page, 3), polling).toEqual([])
    const [back, approve] = await Promise.all([t.plan.keepPlanning, t.plan.approveOnPhone].map(boxOf))
    expect([back?.width, back?.height]).toEqual([approve?.width, approve?.height])
    await expect.poll(() => button(group, t.plan.approveEdits).count(), polling).toBe(0)
  }
})

it('no button of a card is alone on its line', async () => {
  const { page } = await used.open(`/sessions/${session.id}`)
  for (const width of [1440, 1280, 1024, 768, 640]) {
    await page.setViewportSize({ width, height: 820 })
    await expect.poll(() => leftOver(page, 6), polling).toEqual([])
  }
  const { page: small } = await used.open(`/sessions/${session.id}`, phone)
  await expect.poll(() => leftOver(small, 3), polling).toEqual([])
  await small.setViewportSize({ width: 340, height: 700 })
  await expect.poll(() => leftOver(small, 3), polling).toEqual([])
})

it.each([
  ['a desktop', undefined],
  ['a phone', phone],
] as const)('on %s denying is the easiest to hit, and apart from what allows', async (_, size) => {
  const { page } = await used.open(`/sessions/${session.id}`, size)
  const group = page.getByRole('group', { name: t.actions.group })
  const boxOf = async (name: RegExp) => {
    const box = await button(group, name).boundingBox()
    if (!box) throw new Error(`${name} is not shown`)
    return box
  }
  await group.waitFor()
  const [deny, once] = await Promise.all([boxOf(/^Deny/), boxOf(/^Allow once/)])
  if (size) {
    // Alike, side by side; nothing that grants more is one tap away.
    expect([deny.width, deny.height]).toEqual([once.width, once.height])
    await expect.poll(() => button(group, t.actions.allowSession).count(), polling).toBe(0)
  } else {
    expect(deny.x).toBeGreaterThan((await boxOf(/^Edit/)).x)
    expect(deny.height).toBe(once.height)
    expect(deny.width).toBeGreaterThanOrEqual(once.width)
  }
  // It takes a press at once; what allows takes one only when the card has been there for a moment.
  expect(await button(group, /^Deny/).isEnabled()).toBe(true)
  expect(await button(group, /^Deny/).getAttribute('aria-disabled')).toBe(null)
})

/** The panel's own buttons can be pressed where they are, and stay there. */
async function showsAnswer(page: Page, name: string): Promise<void> {
  const answer = button(page, name)
  await answer.waitFor()
  await expect.poll(() => isInSight(answer), polling).toBe(true)
  await expect.poll(() => isInSight(button(page, text.ui.cancel)), polling).toBe(true)
  const box = await answer.boundingBox()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await answer.boundingBox()).toEqual(box)
}

it.each([
  ['a desktop', undefined],
  ['a phone', phone],
] as const)('what a button opens is in sight on %s', async (_, size) => {
  const { page } = await used.open(`/sessions/${session.id}`, size)
  const group = page.getByRole('group', { name: t.actions.group })
  await group.waitFor()

  /** On a phone it is behind "More". */
  const choose = async (name: string, menu: string | undefined) => {
    if (size) await button(group, t.actions.more).click()
    else if (menu) await button(group, menu).click()
    if (size || menu) await page.getByRole('menuitem', { name }).click()
    else await button(group, new RegExp(`^${name}`)).click()
  }
  await choose(t.actions.always, undefined)
  await showsAnswer(page, t.always.confirm)
  await page.keyboard.press('Escape')
  await choose(t.actions.edit, undefined)
  await showsAnswer(page, t.edit.allow)
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await showsAnswer(page, t.edit.allow)
  await page.keyboard.press('Escape')
  await choose(t.actions.denyWithMessage, t.actions.denyMore)
  await hasFocus(page.getByRole('textbox', { name: t.deny.label }))
  await showsAnswer(page, t.deny.send)
})

it('the key that stops is named only where it stops', async () => {
  const { page } = await used.open(`/sessions/${session.id}`)
  const hint = conversation(page).getByText(text.conversation.stopHint)
  await page.getByRole('group', { name: t.actions.group }).waitFor()
  await hint.waitFor()
  await page.keyboard.press('Alt+a')
  await hint.waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await hint.waitFor()
})
