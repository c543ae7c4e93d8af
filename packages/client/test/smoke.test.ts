import { expect, it } from 'vitest'
import { usePage } from './support/open-page.ts'

const used = usePage()
it('streams', async () => {
  const { page } = await used.open('/new')
  used.prompts.on('hello', 'Hello to you.')
  await page.getByRole('textbox').first().fill('hello')
  await page.keyboard.press('Enter')
  await page.getByText('Hello to you.').waitFor()
  expect(page.url()).toContain('/sessions/')
}, 60_000)
