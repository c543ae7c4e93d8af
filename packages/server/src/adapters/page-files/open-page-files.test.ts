import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makePageFolder, type PageFolder, pageTexts } from '../../../test/support/page-folder.ts'
import { openPageFiles } from './open-page-files.ts'

let page: PageFolder
beforeEach(() => {
  page = makePageFolder()
})
afterEach(() => page.remove())

it('knows plain files by their paths, and nothing else in the folder', async () => {
  const files = await openPageFiles(page.folder)
  expect([...(files?.keys() ?? [])].toSorted()).toEqual(
    Object.keys(pageTexts)
      .map((name) => `/${name}`)
      .toSorted(),
  )
})

it('knows which compressed copies there are', async () => {
  const files = await openPageFiles(page.folder)
  const encodings = (path: string) => [...(files?.get(path)?.encodings ?? [])].toSorted()
  expect(encodings('/assets/main-1a2b.js')).toEqual(['br', 'gzip', 'identity'])
  expect(encodings('/assets/main-1a2b.css')).toEqual(['gzip', 'identity'])
  expect(encodings('/sw.js')).toEqual(['identity'])
})

it('reads once: what is built anew later is not mixed with what was sent', async () => {
  const files = await openPageFiles(page.folder)
  const file = files?.get('/sw.js')
  const first = await file?.read('identity')
  expect(first?.bytes.toString()).toBe(pageTexts['sw.js'])
  writeFileSync(join(page.folder, 'sw.js'), 'other')
  expect(await file?.read('identity')).toBe(first)
})

it('gives every content its own tag', async () => {
  const files = await openPageFiles(page.folder)
  const tags = await Promise.all(
    (['br', 'gzip', 'identity'] as const).map(
      async (encoding) => (await files?.get('/index.html')?.read(encoding))?.etag,
    ),
  )
  expect(new Set(tags).size).toBe(3)
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]{27}"$/)
})

it('says so when a file is gone, and finds it when it is back', async () => {
  const files = await openPageFiles(page.folder)
  const file = files?.get('/sw.js')
  rmSync(join(page.folder, 'sw.js'))
  await expect(file?.read('identity')).rejects.toMatchObject({ code: 'unavailable' })
  writeFileSync(join(page.folder, 'sw.js'), 'back')
  expect((await file?.read('identity'))?.bytes.toString()).toBe('back')
})

it('refuses what is too large or too many', async () => {
  const files = await openPageFiles(page.folder, { maxBytes: 1000 })
  truncateSync(join(page.folder, 'sw.js'), 1001)
  await expect(files?.get('/sw.js')?.read('identity')).rejects.toMatchObject({ code: 'unavailable' })
  await expect(openPageFiles(page.folder, { maxFiles: 5 })).rejects.toMatchObject({ code: 'unavailable' })
})

it('is nothing without a folder, or without a document in it', async () => {
  expect(await openPageFiles(join(page.folder, 'none'))).toBeUndefined()
  rmSync(join(page.folder, 'index.html'))
  expect(await openPageFiles(page.folder)).toBeUndefined()
})
