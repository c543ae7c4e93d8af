/** The tokens as they are drawn, in both themes: edges of controls are seen, and only what needs a person is orange. */
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { colouredFocus, drawnColours } from './support/drawn-colours.ts'
import { withoutTransitions } from './support/look-of-focus.ts'
import { button, goTo, polling, said, screens } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()

it.each(['light', 'dark'] as const)('in the %s theme', async (colorScheme) => {
  const { client } = used.host
  const entry = server({ tools: ['read', 'write', 'a', 'b', 'c', 'd'] })
  await client.addMcpServers({ body: { name: `files-${colorScheme}`, entry } })
  await client.testMcpServer({ params: { name: `files-${colorScheme}` }, body: {} })
  const session = await used.start(['Done.'])
  await session.endOf(1)
  const { page } = await used.open('/')
  await page.emulateMedia({ colorScheme })
  await withoutTransitions(page)
  const sums = { controls: 0, neutral: 0, reached: 0 }
  const faults: string[] = []
  const look = async (where: string) => {
    await expect.poll(() => page.getByText(text.ui.loading).count(), polling).toBe(0)
    const drawn = await drawnColours(page)
    sums.controls += drawn.controls
    sums.neutral += drawn.neutral
    for (const one of [...drawn.faint, ...drawn.coloured, ...drawn.attention]) faults.push(`${where}: ${one}`)
  }
  for (const path of [...screens, `/mcp/files-${colorScheme}`, `/sessions/${session.id}`]) {
    await goTo(page, path)
    await page.getByRole('main').waitFor()
    if (path === `/sessions/${session.id}`) await said(page, 'Done.').waitFor()
    await look(path)
    const focus = await colouredFocus(page)
    sums.reached += focus.reached
    for (const one of focus.coloured) faults.push(`${path}, focused: ${one}`)
  }
  await goTo(page, '/mcp')
  await button(page, text.mcp.add.open).click()
  await page.getByRole('dialog').getByRole('textbox').first().waitFor()
  await look('a dialog')
  await page.keyboard.press('Escape')
  expect(faults).toEqual([])
  expect(sums.controls).toBeGreaterThan(40)
  expect(sums.neutral).toBeGreaterThan(100)
  expect(sums.reached).toBeGreaterThan(200)

  // What needs a person is orange, and what asks for the answer is not.
  await session.send(
    used.prompts.on('ask', toolUse('Bash', { command: 'touch a', description: 'x' }), 'Asked.'),
  )
  await goTo(page, '/')
  await page.getByRole('list', { name: text.shell.home.needsYou }).getByRole('article').waitFor()
  const asked = await drawnColours(page)
  expect(asked.attention.length).toBeGreaterThan(0)
  expect([...asked.faint, ...asked.coloured]).toEqual([])
  await session.answer({ decision: 'deny' })
  await session.endOf(2)
})
