/** Home: what needs a person is answered there, and what has ended says how. */
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { button, polling } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage()
const { home } = text.shell

it('a question is answered where one starts, and the session then says how it ended', async () => {
  const session = await used.start(
    [toolUse('Bash', { command: 'touch a', description: 'x' }), 'Never said.'],
    {
      title: 'One step',
      max_turns: 1,
    },
  )
  const { approval } = await session.watch.next('approval_required')
  const { page } = await used.open('/')
  const question = page.getByRole('list', { name: home.needsYou }).getByRole('article')
  await question.getByText('touch a').waitFor()
  // Neither is easier to hit than denying.
  const widths = await Promise.all(
    [text.approvals.actions.deny, text.approvals.actions.allowOnce].map(async (name) => {
      const box = await button(question, name).boundingBox()
      return box?.width ?? 0
    }),
  )
  expect(widths[0]).toBeGreaterThanOrEqual(widths[1] ?? 0)
  await expect
    .poll(() => button(question, text.approvals.actions.allowOnce).getAttribute('aria-disabled'), polling)
    .toBe(null)
  await button(question, text.approvals.actions.allowOnce).click()
  await question.waitFor({ state: 'detached' })
  expect(await used.host.client.getApproval({ params: { id: approval.id } })).toMatchObject({
    state: 'allowed',
  })
  expect((await session.endOf(1)).outcome).toBe('max_turns')
  await page.getByRole('main').getByText(home.outcomes.max_turns).waitFor()
  expect(await session.session()).toMatchObject({ state: 'failed', last_outcome: 'max_turns' })

  // What cannot be pressed says why, under a finger too.
  const { page: small } = await used.open('/new', phone)
  await button(small, text.composer.fresh.start).tap({ force: true })
  await small.getByText(text.composer.needsText).waitFor()
})
