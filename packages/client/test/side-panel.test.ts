/** The panel beside the conversation: how it opens and closes, what runs, and files, which may hold anything. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { noisePicture } from '../../server/test/support/noise-picture.ts'
import { text } from '../src/text/page-text.ts'
import { axeFaults } from './support/axe-faults.ts'
import { button, composer, conversation, hasFocus, polling, said } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })

const attack =
  '<script>window.hacked = 1</script><img src="https://attacker.invalid/a.png" onerror="window.hacked = 1">'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>window.hacked = 1</script></svg>'

/** Goes through the tests, in a folder of its own. */
let session: Conversation
let folder: string
beforeAll(async () => {
  folder = join(used.host.cwd, 'panel')
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  write('src/deep/answer.ts', 'export const answer = 42\n')
  write('notes of mine.md', `# Read me\n\n${attack}\n\n![away](https://attacker.invalid/b.png)\n`)
  write('drawing.svg', svg)
  write('picture.png', noisePicture(20))
  write('paper.pdf', Buffer.from('%PDF-1.4\n\0\x01'))
  session = await used.start(['Here.'], { cwd: folder, permission_mode: 'bypassPermissions' })
  await session.endOf(1)
})

const panelOf = (page: Page) => page.getByRole('region', { name: text.panel.title })

async function open(more = '', size?: typeof phone): Promise<Page> {
  const { page } = await used.open(`/sessions/${session.id}${more}`, size)
  await said(page, 'Here.').waitFor()
  return page
}

it('opens beside the conversation with the focus in it, stays over a reload, and closes by Escape and Back', async () => {
  const page = await open()
  const panel = panelOf(page)
  const changes = panel.getByRole('tab', { name: text.changes.tab })
  const files = panel.getByRole('tab', { name: text.files.tab })
  const commands = panel.getByRole('tab', { name: text.commands.tab })
  await button(page, text.conversation.openPanel).click()
  await hasFocus(changes)
  expect(page.url()).toContain('?panel=changes')
  await page.keyboard.press('ArrowRight')
  await hasFocus(files)
  await page.keyboard.press('ArrowRight')
  await hasFocus(commands)
  await panel.getByText(text.commands.none).waitFor()
  expect(page.url()).toContain('?panel=commands')
  expect(await commands.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await hasFocus(button(page, text.conversation.openPanel))
  // The tab that was open last.
  await page.keyboard.press('Enter')
  await hasFocus(commands)
  await page.reload()
  await commands.waitFor()
  const [talk, beside] = [await composer(page).boundingBox(), await panel.boundingBox()]
  expect((talk?.x ?? 0) + (talk?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
  expect(await axeFaults(page, 'panel')).toEqual([])
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(text.files.show)
  await page.keyboard.press('Enter')
  await hasFocus(files)
})

it('shows what a command in the background prints, and stops it', async () => {
  const command = 'n=0; while [ -d "$PWD" ]; do n=$((n+1)); echo "line $n"; sleep 0.2; done'
  const call = toolUse('Bash', { command, description: 'Count on', run_in_background: true })
  await session.say(used.prompts.on('count on', call, 'Counting.'))
  const page = await open()
  await said(page, 'Counting.').waitFor()
  await page.getByText(text.commands.inBackground(1)).waitFor()
  await button(page, text.commands.open).click()
  const panel = panelOf(page)
  const printed = panel.getByRole('figure')
  await printed.getByText(/line 1\nline 2\n/).waitFor()
  await printed.getByText(/line 15\n/).waitFor()
  expect(await printed.textContent()).toContain(command)
  expect(await axeFaults(page, 'commands')).toEqual([])
  await button(panel, text.commands.stopNamed('Count on')).click()
  const ended = panel.getByRole('region', { name: text.commands.ended })
  await ended.getByText(text.commands.states.stopped).waitFor()
  await expect.poll(() => page.getByText(text.commands.inBackground(1)).count(), polling).toBe(0)
  // What it printed is still there for who looks.
  await ended.getByRole('button', { name: /Count on/ }).click()
  await ended.getByText(/line 1\nline 2\n/).waitFor()
})

it('stops a command that the agent waits for, from the card of its call, and the turn goes on', async () => {
  const command = 'echo begun; while [ -d "$PWD" ]; do sleep 0.2; done'
  const call = toolUse('Bash', { command, description: 'Wait for ever' })
  const turn = await session.send(used.prompts.on('wait for ever', call, 'Went on.'))
  const page = await open()
  await conversation(page)
    .getByRole('button', { name: /echo begun/ })
    .click()
  await button(conversation(page), text.commands.stopNamed('Wait for ever')).click()
  await said(page, 'Went on.').waitFor()
  expect(await session.end(turn)).toMatchObject({ outcome: 'completed' })
})

// What a file wanted of another server would be a complaint of the page's policy, which fails the test.
it('goes through files by keyboard, shows what is safe to show, and mentions one', async () => {
  const page = await open('?panel=files')
  const panel = panelOf(page)
  const item = (name: string) => panel.getByRole('treeitem', { name })
  const back = () => button(panel, text.files.back).click()
  await item('src').focus()
  await page.keyboard.press('ArrowRight')
  await item('deep').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await item('answer.ts').waitFor()
  expect(await item('answer.ts').getAttribute('aria-level')).toBe('3')
  expect(await axeFaults(page, 'files')).toEqual([])
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await panel.getByText('export const answer = 42').waitFor()
  await hasFocus(button(panel, text.files.back))
  await page.keyboard.press('Enter')
  await hasFocus(item('answer.ts'))

  await item('notes of mine.md').click()
  await panel.getByRole('heading', { name: 'Read me' }).waitFor()
  await panel.getByText('<script>window.hacked = 1</script>').waitFor()
  expect(await axeFaults(page, 'preview')).toEqual([])
  await button(panel, text.files.mention).click()
  await hasFocus(composer(page))
  expect(await composer(page).inputValue()).toBe('@"notes of mine.md" ')
  await back()
  await item('drawing.svg').click()
  await panel.getByText('<script>window.hacked = 1</script>').waitFor()
  await back()
  await item('picture.png').click()
  const picture = panel.getByRole('img', { name: text.files.picture('picture.png') })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), polling).toBe(20)
  await back()
  await item('paper.pdf').click()
  await panel.getByText(text.files.binary).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(panel, text.files.download).click(),
  ])
  expect(download.suggestedFilename()).toBe('paper.pdf')
  await back()

  await panel.getByRole('searchbox', { name: text.files.search }).fill('answ')
  await panel.getByRole('button', { name: 'src/deep/answer.ts' }).click()
  await panel.getByText('export const answer = 42').waitFor()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

it('lies over the conversation on a phone, and goes when a file is mentioned', async () => {
  const page = await open('', phone)
  await button(page, text.conversation.openPanel).click()
  const sheet = page.getByRole('dialog', { name: text.panel.title })
  await sheet.getByRole('tab', { name: text.files.tab }).click()
  await sheet.getByRole('treeitem', { name: 'src' }).waitFor()
  expect(await sheet.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
  expect(await axeFaults(page, 'sheet', true)).toEqual([])
  await button(sheet, text.conversation.closePanel).click()
  await sheet.waitFor({ state: 'detached' })
  await hasFocus(button(page, text.conversation.openPanel))
  await button(page, text.conversation.openPanel).click()
  await sheet.getByRole('treeitem', { name: 'drawing.svg' }).click()
  await button(sheet, text.files.mention).click()
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => composer(page).inputValue(), polling).toContain('@drawing.svg ')
  await expect.poll(() => page.url(), polling).not.toContain('panel')
})
