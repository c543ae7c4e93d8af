/** What agents and MCP servers want to know, and plans to review. */
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { connect, server } from '../../server/test/support/mcp-servers.ts'
import type { Answer } from '../../server/test/support/prompts.ts'
import { text } from '../src/text/page-text.ts'
import { composer, conversation, hasFocus, isInSight, makeTall, polling, said } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage({
  config: { mcpServers: { asker: server({ tools: ['ask'] }) } },
})
const t = text.approvals

const asked = (page: Page, title = t.card.asksQuestion) => page.getByRole('article', { name: title })
const modelGot = (sessionId = session.id) =>
  used.host.model.requests.findLast((request) => request.sessionId === sessionId)?.toolResults[0]?.text

/** One conversation for most, in which each test has a turn of its own. */
let session: Conversation
beforeAll(async () => {
  session = await used.start(['Ready.'])
  await session.endOf(1)
})
async function openSession(): Promise<Page> {
  const { page } = await used.open(`/sessions/${session.id}`)
  await makeTall(page)
  return page
}
const say = (prompt: string, ...answers: Answer[]) => session.send(used.prompts.on(prompt, ...answers))

const option = (label: string, description = `${label} it is`) => ({ label, description })
const colour = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [option('Red'), option('Blue')],
}
const sizes = {
  question: 'Which sizes?',
  header: 'Sizes',
  multiSelect: true,
  options: [option('Small'), option('Medium'), option('Large')],
}
const ask = (...questions: unknown[]) => toolUse('AskUserQuestion', { questions })

describe('a question', () => {
  it('of one choice is answered by pointer; what was chosen stays, also after a reload', async () => {
    await say('ask for one', ask(colour), 'Blue it is.')
    const page = await openSession()
    const send = asked(page).getByRole('button', { name: t.question.send, exact: true })
    expect(await send.isDisabled()).toBe(true)
    await asked(page).getByRole('radio', { name: 'Red' }).check()
    await asked(page).getByRole('radio', { name: 'Blue' }).check()
    expect(await asked(page).getByRole('radio', { name: 'Red' }).isChecked()).toBe(false)
    await send.click()
    await said(page, 'Blue it is.').waitFor()
    expect(modelGot()).toContain('"Which colour?"="Blue"')
    for (const when of ['now', 'reloaded']) {
      if (when === 'reloaded') await page.reload()
      await said(page, 'Blue it is.').waitFor()
      const row = conversation(page).getByRole('button', { name: 'Which colour?' }).last()
      await row.waitFor()
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.click()
      await conversation(page).getByText('Blue', { exact: true }).last().waitFor()
      expect(await asked(page).count()).toBe(0)
    }
  })

  it('of several parts: one’s own words, several choices, a reload between, and by number keys', async () => {
    await say('ask for two', ask(colour, sizes), 'I know all now.')
    const page = await openSession()
    await asked(page)
      .getByRole('textbox', { name: t.question.otherLabel(colour.question) })
      .fill('Green, rather')
    await asked(page).getByText(t.question.progress(1, 2)).waitFor()
    // What was written so far outlives the page.
    await page.reload()
    await asked(page).getByText(t.question.progress(1, 2)).waitFor()
    await page.keyboard.press('Alt+a')
    await expect
      .poll(() => asked(page).evaluate((card) => card.contains(document.activeElement)), polling)
      .toBe(true)
    await page.keyboard.press('3')
    await page.keyboard.press('1')
    await page.keyboard.press('2')
    await page.keyboard.press('2')
    await asked(page).getByText(t.question.progress(2, 2)).waitFor()
    expect(await asked(page).getByRole('checkbox', { checked: true }).count()).toBe(2)
    await expect
      .poll(() => asked(page).getByRole('button', { name: t.question.sendAll }).isEnabled(), polling)
      .toBe(true)
    await page.keyboard.press('Control+Enter')
    await said(page, 'I know all now.').waitFor()
    expect(modelGot()).toContain('"Which colour?"="Green, rather", "Which sizes?"="Small, Large"')
  })

  it('of three parts is a tab each, with the way to send it in sight, and previews that move nothing', async () => {
    const tones = ['Red', 'Blue', 'Green', 'Grey'].map((label) => option(label))
    const looks = ['Wide', 'Narrow'].map((label) => ({
      ...option(label),
      preview: `+--${label}--+\n`.repeat(label === 'Wide' ? 40 : 1),
    }))
    const questions = [
      { ...colour, options: tones },
      { question: 'Which look?', header: 'Look', multiSelect: false, options: looks },
      sizes,
    ]
    const own = await used.start([ask(...questions), 'All three.'])
    const { page } = await used.open(`/sessions/${own.id}`)
    const tab = (scope: Page, name: string) => asked(scope).getByRole('tab', { name })
    const send = (scope: Page) => asked(scope).getByRole('button', { name: t.question.sendAll })
    for (const { header } of questions) {
      await tab(page, header).click()
      await expect.poll(() => isInSight(send(page)), polling).toBe(true)
    }
    await tab(page, 'Colour').click()
    await asked(page).getByText('Green', { exact: true }).click()
    await page.mouse.move(0, 0)
    await asked(page).getByRole('tab', { name: 'Look', selected: true }).waitFor()
    await tab(page, `Colour ${t.question.answered}`).waitFor()
    const preview = (label: string) => asked(page).getByRole('group', { name: t.question.previewOf(label) })
    await preview('Wide').getByText('+--Wide--+').waitFor()
    const positions = () =>
      Promise.all([
        ...looks.map(({ label }) => asked(page).getByRole('radio', { name: label }).boundingBox()),
        send(page)
          .or(asked(page).getByRole('button', { name: /^Send/ }))
          .boundingBox(),
      ])
    const before = await positions()
    await asked(page).getByRole('radio', { name: 'Narrow' }).hover()
    await preview('Narrow').getByText('+--Narrow--+').waitFor()
    expect(await positions()).toEqual(before)
    await asked(page).getByRole('radio', { name: 'Narrow' }).check()
    await page.mouse.move(0, 0)
    await preview('Narrow').waitFor()
    expect(await positions()).toEqual(before)

    const small = await used.open(`/sessions/${own.id}`, phone)
    await tab(small.page, 'Look').tap()
    await asked(small.page).getByRole('radio', { name: 'Wide' }).tap()
    await tab(small.page, 'Colour').tap()
    await asked(small.page).getByRole('radio', { name: 'Grey' }).tap()
    await asked(small.page).getByRole('checkbox', { name: 'Large' }).tap()
    await send(small.page).tap()
    await said(small.page, 'All three.').waitFor()
    expect(modelGot(own.id)).toContain('"Which colour?"="Grey", "Which look?"="Wide", "Which sizes?"="Large"')
    await said(page, 'All three.').waitFor()
  })

  it('that has the focus gives it back on Escape, and stops nothing; where one writes, Escape stops the turn', async () => {
    const turn = await say('ask in vain', ask(colour))
    const page = await openSession()
    await asked(page).waitFor()
    await composer(page).click()
    await page.keyboard.press('Alt+a')
    await hasFocus(asked(page))
    await page.keyboard.press('1')
    await page.keyboard.press('Escape')
    await hasFocus(composer(page))
    expect(await asked(page).getByRole('radio', { name: 'Red' }).isChecked()).toBe(true)
    expect(await session.session()).toMatchObject({ state: 'waiting', pending_approvals: 1 })
    // What is open closes first.
    await asked(page).getByRole('button', { name: t.question.decline }).click()
    await hasFocus(asked(page).getByRole('textbox', { name: t.question.declineLabel }))
    await page.keyboard.press('Escape')
    await hasFocus(asked(page))
    await page.keyboard.press('Escape')
    await hasFocus(composer(page))
    expect(await session.session()).toMatchObject({ state: 'waiting', pending_approvals: 1 })
    await page.keyboard.press('Escape')
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
  })

  it('can be left to the agent, with a word', async () => {
    await say('ask and choose', ask(colour), 'So I choose.')
    const page = await openSession()
    await asked(page).getByRole('button', { name: t.question.decline }).click()
    await asked(page).getByRole('textbox', { name: t.question.declineLabel }).fill('Decide it yourself.')
    await asked(page).getByRole('button', { name: t.question.declineSend }).click()
    await said(page, 'So I choose.').waitFor()
    expect(modelGot()).toBe('Decide it yourself.')
  })
})

/** The CLI names the file in which it wants the plan; what stands there is what is reviewed. */
const writePlan: Answer = (request) => {
  const file = /[^\s"\\]*\/plans\/[^\s"\\]*\.md/.exec(JSON.stringify(request.body))?.[0]
  return toolUse('Write', { file_path: file, content: '# The plan\n\n1. Look\n2. Leap' })
}

it('a plan is read, sent back with words, then approved together with its edits', async () => {
  const answers = [writePlan, toolUse('ExitPlanMode', {}), toolUse('ExitPlanMode', {}), 'Off we go.']
  const planned = await used.start(answers, { permission_mode: 'plan' })
  const { page } = await used.open(`/sessions/${planned.id}`)
  const plan = asked(page, t.card.asksPlan)
  await plan.getByRole('heading', { name: 'The plan', exact: true }).waitFor()
  expect(await plan.getByRole('listitem').allInnerTexts()).toEqual(['Look', 'Leap'])
  await page.keyboard.press('Alt+a')
  await hasFocus(plan)
  await page.keyboard.press('d')
  await hasFocus(plan.getByRole('textbox', { name: t.plan.feedback }))
  await page.keyboard.type('Look twice.')
  await plan.getByRole('button', { name: t.plan.sendFeedback }).click()
  await planned.watch.next('question_prompt', () => planned.watch.of('question_prompt').length === 2)
  expect(modelGot(planned.id)).toBe('Look twice.')
  const approve = plan.getByRole('button', { name: t.plan.approveEdits })
  await expect.poll(() => approve.isEnabled(), polling).toBe(true)
  await page.keyboard.press('Alt+a')
  await hasFocus(plan)
  await page.keyboard.press('s')
  await said(page, 'Off we go.').waitFor()
  expect(await planned.session()).toMatchObject({ permission_mode: 'acceptEdits' })
  await page.getByRole('button', { name: text.composer.modeNames.acceptEdits }).waitFor()
  await planned.send(
    used.prompts.on(
      'go on',
      toolUse('Write', { file_path: `${used.host.cwd}/leap`, content: 'leap' }),
      'Leapt.',
    ),
  )
  await said(page, 'Leapt.').waitFor()
  expect(planned.watch.of('approval_required')).toEqual([])
})

describe('an MCP server asks by a form', () => {
  let unasked: Conversation
  beforeAll(async () => {
    await connect(used.host, ['asker'])
    unasked = await used.start(['Ready.'], { permission_mode: 'bypassPermissions' })
  })
  const call = async (prompt: string, last: string) => {
    await unasked.send(used.prompts.on(prompt, toolUse('mcp__asker__ask'), last))
    return used.open(`/sessions/${unasked.id}`)
  }

  it('what it needs is said, and it gets the answer', async () => {
    const { page } = await call('ask by a form', 'It knows.')
    const form = asked(page, t.card.asksForm('asker'))
    await form.getByText('Which color?').waitFor()
    await form.getByRole('button', { name: t.form.send, exact: true }).click()
    await form.getByText(text.form.faults.required()).waitFor()
    await form.getByRole('textbox', { name: 'Color' }).fill('teal')
    await page.keyboard.press('Enter')
    await said(page, 'It knows.').waitFor()
    expect(JSON.parse(modelGot(unasked.id) ?? '')).toMatchObject({
      answer: { action: 'accept', content: { color: 'teal' } },
    })
    await conversation(page).getByText(t.decision.answered).waitFor()
  })

  it('it hears that a person declined, and nothing of what was written', async () => {
    const { page } = await call('ask once more', 'It knows that much.')
    const form = asked(page, t.card.asksForm('asker'))
    await form.getByRole('textbox', { name: 'Color' }).fill('teal')
    await form.getByRole('button', { name: t.form.decline, exact: true }).click()
    await said(page, 'It knows that much.').waitFor()
    expect(JSON.parse(modelGot(unasked.id) ?? '').answer).toEqual({ action: 'decline' })
    await conversation(page).getByText(t.decision.declined).waitFor()
  })
})
