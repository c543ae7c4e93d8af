/** The list of sessions, what can be done with one, and those that belong to a terminal. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { Gate } from '../../server/test/support/gate.ts'
import { openTerminal } from '../../server/test/support/terminal.ts'
import { text } from '../src/text/later-text.ts'
import { button, composer, conversation, polling, said, send } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const words = text.sessions

const list = (page: Page) => page.getByRole('list', { name: words.heading, exact: true })
const row = (page: Page, title: string) => list(page).getByRole('listitem').filter({ hasText: title })
const mark = (page: Page, title: string, is: keyof typeof words.marks) =>
  row(page, title).getByRole('img', { name: words.marks[is], exact: true })
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

async function act(page: Page, title: string, item: string): Promise<void> {
  await row(page, title).hover()
  await button(page, words.actions(title)).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

describe('the list', () => {
  it('shows who works, who needs a person and who is done, and what is new since one looked', async () => {
    const gate = new Gate()
    const waits = async () => {
      await gate.opened
      return toolUse('Bash', { command: 'touch made.txt' })
    }
    const other = await used.start(['Quiet.'], { title: 'Quiet one' })
    await other.endOf(1)
    const { page } = await used.open(`/sessions/${other.id}`)
    await mark(page, 'Quiet one', 'idle').waitFor()
    const busy = await used.start([waits, 'All done.'], { title: 'Busy one' })
    await mark(page, 'Busy one', 'working').waitFor()
    gate.open()
    await mark(page, 'Busy one', 'needs-you').waitFor()
    await busy.answer()
    await mark(page, 'Busy one', 'unread').waitFor()
    await row(page, 'Busy one').getByRole('link').click()
    await said(page, 'All done.').waitFor()
    await mark(page, 'Busy one', 'idle').waitFor()
    // Both stand under the name of their workspace.
    const group = list(page).getByRole('button', { name: new RegExp(`^${basename(used.host.cwd)}`) })
    await group.click()
    await row(page, 'Quiet one').waitFor({ state: 'detached' })
    await group.click()
    await row(page, 'Quiet one').waitFor()
  })

  it('archives and deletes many at once, and takes either back', async () => {
    const { client } = used.host
    const make = async (title: string) => (await client.createSession({ body: { title } })).session
    const [one, two] = [await make('Many one'), await make('Many two')]
    const isThere = (id: string) =>
      client.getSession({ params: { id } }).then(
        () => true,
        () => false,
      )
    const { page } = await used.open('/costs')
    const bulk = text.bulk
    const choose = async () => {
      await page.getByRole('button', { name: new RegExp(`^${words.filter}`) }).click()
      await page.getByRole('menuitem', { name: words.startSelecting }).click()
      for (const title of ['Many one', 'Many two'])
        await page.getByRole('checkbox', { name: words.select(title) }).check()
      await page.getByText(bulk.selected(2)).waitFor()
    }
    const act = (name: string) => button(page.getByRole('region', { name: bulk.region }), name).click()
    await choose()
    await act(bulk.archive)
    await page.getByText(bulk.archived(2)).waitFor()
    await row(page, 'Many one').waitFor({ state: 'detached' })
    await button(page, text.ui.undo).click()
    await row(page, 'Many one').getByRole('link').waitFor()
    await row(page, 'Many two').getByRole('link').waitFor()

    await choose()
    await act(bulk.delete)
    await row(page, 'Many two').waitFor({ state: 'detached' })
    // Nothing is gone before it is too late to take that back.
    expect([await isThere(one.id), await isThere(two.id)]).toEqual([true, true])
    await button(page, text.ui.undo).click()
    await row(page, 'Many two').getByRole('link').waitFor()
    await choose()
    await act(bulk.all)
    const all = await row(page, '').getByRole('checkbox').count()
    expect(all).toBeGreaterThan(2)
    await page.getByText(bulk.selected(all)).waitFor()
    await act(bulk.cancel)
    await choose()
    await act(bulk.delete)
    await page.getByText(bulk.deleting(2)).waitFor()
    // Who leaves the page has said what they want.
    await page.goto(new URL('/favicon.svg', page.url()).href)
    await expect.poll(() => isThere(one.id), polling).toBe(false)
    await expect.poll(() => isThere(two.id), polling).toBe(false)
  })

  it('pins, renames, exports, archives and deletes', async () => {
    const session = await used.start(['Something to keep.'], { title: 'First name' })
    const { page } = await used.open(`/sessions/${session.id}`)
    await said(page, 'Something to keep.').waitFor()
    await act(page, 'First name', words.pin)
    await row(page, 'First name').getByRole('img', { name: words.pinned }).waitFor()
    await list(page)
      .getByRole('button', { name: new RegExp(`^${words.pinned}`) })
      .waitFor()
    await act(page, 'First name', words.rename)
    await page.getByRole('dialog').getByRole('textbox', { name: words.renameLabel }).fill('Second name')
    await button(page.getByRole('dialog'), text.ui.save).click()
    await page.getByRole('heading', { level: 1, name: 'Second name' }).waitFor()
    expect(await session.session()).toMatchObject({ title: 'Second name', pinned: true })

    const markdown = await exported(page, () => act(page, 'Second name', words.exportMarkdown))
    expect(markdown).toMatchObject({
      name: 'second-name.md',
      content: expect.stringContaining('Something to keep.'),
    })
    const json = await exported(page, () => act(page, 'Second name', words.exportJson))
    expect(json.name).toBe('second-name.json')
    expect(JSON.stringify(JSON.parse(json.content))).toContain('Something to keep.')

    const html = await exported(page, async () => {
      await row(page, 'Second name').hover()
      await button(page, words.actions('Second name')).click()
      await page.getByRole('menuitem', { name: words.share }).click()
    })
    expect(html).toMatchObject({
      name: 'second-name.html',
      content: expect.stringMatching(/^<!doctype html>[\s\S]*Something to keep\./),
    })

    await act(page, 'Second name', words.archive)
    await row(page, 'Second name').waitFor({ state: 'detached' })
    await button(page, new RegExp(`^${words.filter}`)).click()
    await page.getByRole('menuitemradio', { name: words.filters.archived }).click()
    await act(page, 'Second name', words.delete)
    await button(page.getByRole('dialog'), words.deleteAction).click()
    await row(page, 'Second name').waitFor({ state: 'detached' })
    await expect(session.session()).rejects.toMatchObject({ status: 404 })
  })

  it('finds words in conversations and opens them there; a fork goes on from a message', async () => {
    const session = await used.start(['The first answer.'], { title: 'Long talk' })
    await session.endOf(1)
    for (let n = 1; n <= 6; n++)
      await session.say(
        used.prompts.on(
          `step ${n}`,
          n === 2 ? 'A xylophone is here.' : `Answer ${n}.\n\n${'More. '.repeat(400)}`,
        ),
      )
    const { page } = await used.open('/')
    const search = page.getByRole('searchbox', { name: words.search })
    const hit = page.getByRole('link', { name: /xylophone/ })
    await expect
      .poll(async () => {
        await search.fill('')
        await search.fill('xylophone')
        return hit
          .first()
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          )
      }, polling)
      .toBe(true)
    await hit.first().click()
    await page.waitForURL(/\/sessions\/.+#.+/)
    const message = said(page, 'A xylophone is here.')
    await expect.poll(() => isInSight(message), polling).toBe(true)

    const article = conversation(page).getByRole('article').filter({ hasText: 'A xylophone is here.' })
    // What can be done with an answer is at the end of its turn.
    await article.locator(`xpath=following::button[@aria-label="${text.conversation.forkHere}"][1]`).click()
    await expect.poll(() => idOf(page), polling).not.toBe(session.id)
    await said(page, 'A xylophone is here.').waitFor()
    await said(page, 'step 3').waitFor({ state: 'detached' })
    await send(page, used.prompts.on('another way', 'Another way it is.'))
    await said(page, 'Another way it is.').waitFor()
    const last = JSON.stringify(used.host.model.requests.at(-1)?.messages)
    expect(last).toContain('xylophone')
    expect(last).not.toContain('step 3')
  })
})

it('a session of a terminal appears as it is begun, labelled, and can be forked while the terminal has it', async () => {
  const { page } = await used.open('/')
  await list(page).waitFor({ state: 'attached' })
  const terminal = await openTerminal(used.host, 'By hand')
  try {
    await terminal.say(used.prompts.on('begin in a terminal', 'Begun there.'))
    await row(page, 'By hand').getByRole('img', { name: words.terminal, exact: true }).waitFor()
    await row(page, 'By hand').getByRole('link').click()
    await said(page, 'Begun there.').waitFor()
    await page.getByText(text.conversation.inUse).waitFor()
    expect(await composer(page).isDisabled()).toBe(true)
    // What is said in the terminal is seen here.
    await terminal.say(used.prompts.on('go on there', 'Gone on.'))
    await said(page, 'Gone on.').waitFor()
    await button(page, text.conversation.forkInstead).click()
    await expect.poll(() => idOf(page), polling).not.toBe(terminal.id)
    await said(page, 'Gone on.').waitFor()
    await send(page, used.prompts.on('my own way', 'Here we are.'))
    await said(page, 'Here we are.').waitFor()
  } finally {
    await terminal.close()
  }
  await page.goto(`${used.host.server.url}/sessions/${terminal.id}`)
  await send(page, used.prompts.on('now here', 'Now it is here.'))
  await said(page, 'Now it is here.').waitFor()
})

async function exported(page: Page, start: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), start()])
  return { name: download.suggestedFilename(), content: readFileSync(await download.path(), 'utf8') }
}

function isInSight(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
}
