/** Transcripts in more than one of the CLI's folders: those of containers come later, and agents can write to them. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { openTranscriptReader } from '../../src/adapters/transcripts/transcript-reader.ts'
import { eventually, indexed, said, TranscriptFiles } from './transcript-files.ts'

const logger = { debug() {}, info() {}, warn() {}, error() {} }

function put(configDir: string, sessionId: string, words: string, time = '2026-05-01T00:00:00Z'): string {
  const path = join(configDir, 'projects', '-p', `${sessionId}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, said('user', words))
  utimesSync(path, new Date(time), new Date(time))
  return path
}

it('takes up a folder that appears while it runs, and keeps it over a restart', async () => {
  await using files = new TranscriptFiles()
  const own = files.add(said('user', 'of the owner'))
  const box = join(files.root, 'box')
  const open = (configDirs: string[]) =>
    openTranscriptReader({ configDirs, indexPath: files.indexPath, logger, clock: systemClock })
  const reader = await open([files.configDir])
  await indexed(reader)
  const [before, after] = [randomUUID(), randomUUID()]
  put(box, before, 'was there')
  expect(await reader.get(before)).toBeUndefined()
  const heard: string[] = []
  reader.onChange((id) => heard.push(id))
  reader.follow(box)
  reader.follow(box)
  await eventually(() => heard.includes(before))
  put(box, after, 'came later')
  await eventually(() => heard.includes(after))
  await indexed(reader)
  expect(
    (await reader.search('later', { limit: 5, except: [] })).hits.map(({ sessionId }) => sessionId),
  ).toEqual([after])
  expect(await reader.page(after, { limit: 5 })).toMatchObject({ entries: [{}] })
  await reader.close()

  const again = await open([files.configDir, box])
  try {
    await indexed(again)
    const ids = (await again.list({ limit: 9 })).map(({ sessionId }) => sessionId)
    expect(ids.toSorted()).toEqual([own, before, after].toSorted())
  } finally {
    await again.close()
  }
})

it('one folder cannot speak for another’s session: not for the owner’s, nor for one that is known', async () => {
  await using files = new TranscriptFiles()
  const [box, hostile] = [join(files.root, 'box'), join(files.root, 'hostile')]
  const [owners, boxed] = [randomUUID(), randomUUID()]
  const real = put(files.configDir, owners, 'the owner’s')
  const known = put(box, boxed, 'the box’s')
  put(hostile, owners, 'forged', '2027-01-01T00:00:00Z')
  const configDirs = [files.configDir, hostile, box]
  const reader = await openTranscriptReader({
    configDirs,
    indexPath: files.indexPath,
    logger,
    clock: systemClock,
  })
  try {
    await indexed(reader)
    expect(await reader.get(owners)).toMatchObject({ path: real, firstPrompt: 'the owner’s' })
    put(hostile, owners, 'forged again', '2028-01-01T00:00:00Z')
    put(hostile, boxed, 'forged too', '2028-01-01T00:00:00Z')
    const last = randomUUID()
    put(hostile, last, 'its own', '2028-01-02T00:00:00Z')
    await eventually(async () => (await reader.get(last)) !== undefined)
    await indexed(reader)
    expect(await reader.get(owners)).toMatchObject({ path: real })
    expect(await reader.get(boxed)).toMatchObject({ path: known })
    expect((await reader.search('forged', { limit: 5, except: [] })).hits).toEqual([])
  } finally {
    await reader.close()
  }
})
