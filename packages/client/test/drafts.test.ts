/** What is being written follows the person: two devices of one person, one of them at times without a network. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { composer, polling, said, send } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage()

const shows = (page: Page, words: string) =>
  expect.poll(() => composer(page).inputValue(), polling).toBe(words)

it('what is begun on one device goes on at another, and is gone everywhere once it is sent', async () => {
  const { client } = used.host
  const { session } = await client.createSession({ body: { title: 'Written on two devices' } })
  const path = `/sessions/${session.id}`
  const { page: laptop } = await used.open(path)
  const { page: small, context } = await used.open(path, phone)
  await composer(laptop).fill('begun on the laptop')
  await shows(small, 'begun on the laptop')
  await composer(small).fill('begun on the laptop, ended on the phone')
  await shows(laptop, 'begun on the laptop, ended on the phone')

  // Without a network, both write: neither is lost.
  await context.setOffline(true)
  await composer(small).fill('written in a tunnel')
  await composer(laptop).fill('written at the desk')
  await expect
    .poll(async () => (await client.listDrafts()).drafts[0]?.text, polling)
    .toBe('written at the desk')
  await context.setOffline(false)
  await shows(small, 'written at the desk\n\nwritten in a tunnel')
  await shows(laptop, 'written at the desk\n\nwritten in a tunnel')

  // A page that is opened later has it too.
  await laptop.reload()
  await shows(laptop, 'written at the desk\n\nwritten in a tunnel')
  await send(laptop, used.prompts.on('sent from the laptop', 'Got it.'))
  await said(laptop, 'Got it.').waitFor()
  await shows(small, '')
  await small.reload()
  await said(small, 'Got it.').waitFor()
  await shows(small, '')
  expect((await client.listDrafts()).drafts).toEqual([])
})

it('the first message of a new session follows too', async () => {
  const { page: laptop } = await used.open('/new')
  const { page: small } = await used.open('/', phone)
  await composer(laptop).fill('a session to be')
  await shows(small, 'a session to be')
  await composer(small).fill('')
  await shows(laptop, '')
})
