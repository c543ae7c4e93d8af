import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { readSessionInfo, readSessionText, sessionFiles } from './on-disk.ts'
import { projectFolderName } from './project-folder.ts'
import type { SessionTranscriptFile, TranscriptScope } from './transcript-location.ts'

const make = new EntryMaker()

async function all(scope?: TranscriptScope): Promise<SessionTranscriptFile[]> {
  const files: SessionTranscriptFile[] = []
  for await (const file of sessionFiles(scope)) files.push(file)
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

it('lists every transcript of every project, and nothing else', async () => {
  await using transcripts = await TranscriptFolder.create()
  const { configDir } = transcripts
  expect(await all({ configDir })).toEqual([])
  const ids = []
  for (const directory of ['/a', '/b/c']) {
    for (let count = 0; count < 300; count++)
      ids.push({ directory, id: await transcripts.add([make.user('x')], { directory }) })
  }
  await writeFile(join(transcripts.folder('/a'), 'notes.jsonl'), '')
  await mkdir(transcripts.path('00000000-0000-4000-8000-000000000000', '/a'))
  await symlink('/etc/passwd', transcripts.path('00000000-0000-4000-8000-000000000001', '/a'))
  await symlink('/etc', join(configDir, 'projects', 'link'))
  const expected = await Promise.all(
    ids.map(async ({ directory, id }) => {
      const path = transcripts.path(id, directory)
      const { size, mtime } = await stat(path)
      return { sessionId: id, path, projectKey: projectFolderName(directory), size, mtimeMs: mtime.getTime() }
    }),
  )
  expect(await all({ configDir })).toEqual(expected.sort((a, b) => (a.path < b.path ? -1 : 1)))
  expect(await all({ configDir, dir: '/b/c' })).toHaveLength(300)
  vi.stubEnv('CLAUDE_CONFIG_DIR', configDir)
  expect(await all()).toHaveLength(600)
  vi.unstubAllEnvs()
})

it('what is known of a session is read by the path of its transcript', async () => {
  await using transcripts = await TranscriptFolder.create()
  const answer = (key: string, model: string, more = {}) =>
    make.assistant(key, 'hello', { message: { role: 'assistant', model, content: [] }, ...more })
  const id = await transcripts.add([
    make.user('hello', null, { entrypoint: 'sdk-ts' }),
    answer('a', 'model-1'),
    answer('b', 'model-2'),
    answer('c', 'model-3', { isSidechain: true }),
    answer('d', '<synthetic>'),
    { type: 'custom-title', customTitle: 'Mine' },
  ])
  const path = transcripts.path(id)
  const { mtime, size } = await stat(path)
  expect(await readSessionInfo(path)).toEqual({
    sessionId: id,
    summary: 'Mine',
    customTitle: 'Mine',
    firstPrompt: 'hello',
    cwd: '/p',
    gitBranch: 'main',
    entrypoint: 'sdk-ts',
    model: 'model-2',
    createdAt: expect.any(Number),
    lastModified: mtime.getTime(),
    fileSize: size,
  })
  expect(await readSessionInfo(transcripts.path('00000000-0000-4000-8000-000000000000'))).toBeUndefined()
  await expect(readSessionInfo('/etc/passwd')).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
})

it('a reader of text knows its position before, while and after it reads', async () => {
  await using transcripts = await TranscriptFolder.create()
  const path = transcripts.path(await transcripts.add([make.user('a'), make.user('b', 'a')]))
  const { size } = await stat(path)
  const reader = readSessionText(path)
  expect(reader.position).toBe(0)
  for await (const { text } of reader) {
    expect(text).toBe('a')
    break
  }
  expect(reader.position).toBeGreaterThan(0)
  expect(reader.position).toBeLessThan(size)
  const rest = readSessionText(path, { from: reader.position })
  for await (const { text } of rest) expect(text).toBe('b')
  expect(rest.position).toBe(size)
})
