import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { eventually, indexed, said, TranscriptFiles } from './transcript-files.ts'

it('lists what the files say, newest first, in pages and by directory', async () => {
  await using files = new TranscriptFiles()
  const title = `${JSON.stringify({ type: 'custom-title', customTitle: 'Named' })}\n`
  const old = files.add(said('user', 'the first prompt') + said('assistant', 'an answer') + title, {
    time: '2026-01-01T00:00:00Z',
  })
  const other = files.add(said('user', 'elsewhere', { cwd: '/q' }), {
    project: 'q',
    time: '2026-01-02T00:00:00Z',
  })
  const recent = files.add(said('user', 'newest'), { time: '2026-01-03T00:00:00Z' })
  files.add('', { time: '2026-01-04T00:00:00Z' })
  files.add('{"type":"queue-operation"}\n')
  const reader = await files.open()
  await indexed(reader)

  expect((await reader.list({ limit: 10 })).map(({ sessionId }) => sessionId)).toEqual([recent, other, old])
  expect(await reader.get(old)).toEqual({
    sessionId: old,
    path: files.path(old),
    cwd: '/p',
    title: 'Named',
    firstPrompt: 'the first prompt',
    model: 'claude-test-1',
    branch: 'main',
    createdAt: expect.stringMatching(/^2026-01-01T00:00:\d\d\.000Z$/),
    updatedAt: '2026-01-01T00:00:00.000Z',
    bytes: expect.any(Number),
    messageCount: 2,
  })
  expect(await reader.get(recent)).toMatchObject({ title: undefined, firstPrompt: 'newest' })

  const [first] = await reader.list({ limit: 1 })
  const rest = await reader.list({ limit: 5, before: first! })
  expect(rest.map(({ sessionId }) => sessionId)).toEqual([other, old])
  expect(
    (await reader.list({ limit: 5, cwds: ['/q', '/nowhere'] })).map(({ sessionId }) => sessionId),
  ).toEqual([other])
  expect(
    (await reader.list({ limit: 1, cwds: ['/p', '/q'], before: first! })).map((info) => info.sessionId),
  ).toEqual([other])
  expect((await reader.listSessions('/p')).map(({ sessionId }) => sessionId)).toEqual([recent, old])
  expect(await reader.listSessions()).toHaveLength(3)
  expect([...(await reader.getMany([old, randomUUID()])).keys()]).toEqual([old])
  expect(reader.progress()).toEqual({ transcripts: 3, indexed: 3 })
})

it('finds the sessions of a directory through a link to it', async () => {
  await using files = new TranscriptFiles()
  const project = join(files.root, 'project')
  mkdirSync(project)
  symlinkSync(project, join(files.root, 'link'))
  const sessionId = files.add(said('user', 'hello', { cwd: project }))
  const reader = await files.open()
  await indexed(reader)

  expect(await reader.listSessions(join(files.root, 'link'))).toMatchObject([{ sessionId }])
})

it('reports transcripts that appear, grow and go, in folders that did not exist either', async () => {
  await using files = new TranscriptFiles()
  const reader = await files.open()
  await indexed(reader)
  const changes: string[] = []
  reader.onChange((sessionId) => changes.push(sessionId))

  const sessionId = files.add(said('user', 'it begins'))
  await eventually(() => changes.includes(sessionId))
  expect(await reader.get(sessionId)).toMatchObject({ firstPrompt: 'it begins' })
  await eventually(async () => (await reader.get(sessionId))?.messageCount === 1)
  const before = await reader.get(sessionId)

  changes.length = 0
  files.append(sessionId, said('assistant', 'it goes on'))
  await eventually(async () => (await reader.get(sessionId))?.messageCount === 2)
  expect(changes).toContain(sessionId)
  expect((await reader.get(sessionId))!.bytes).toBeGreaterThan(before!.bytes)

  const second = files.add(said('user', 'another project', { cwd: '/q' }), { project: 'q' })
  await eventually(() => changes.includes(second))

  changes.length = 0
  unlinkSync(files.path(sessionId))
  await eventually(() => changes.includes(sessionId))
  expect(await reader.get(sessionId)).toBeUndefined()
  expect((await reader.search('begins', { limit: 5, except: [] })).hits).toEqual([])

  changes.length = 0
  rmSync(join(files.configDir, 'projects'), { recursive: true })
  await eventually(() => changes.includes(second))
  const third = files.add(said('user', 'all made anew'))
  await eventually(() => changes.includes(third))
  expect((await reader.list({ limit: 5 })).map((info) => info.sessionId)).toEqual([third])
})

it('answers for a session whose file appeared this moment', async () => {
  await using files = new TranscriptFiles()
  files.add(said('user', 'an older one'))
  const reader = await files.open()
  await indexed(reader)

  const sessionId = files.add(said('user', 'just now'))
  expect(await reader.get(sessionId)).toMatchObject({ sessionId, firstPrompt: 'just now' })
  expect(await reader.get(randomUUID())).toBeUndefined()
  expect(await reader.get('../../etc/passwd')).toBeUndefined()
})

it('pages from the end with stubs for lines that are too long', async () => {
  await using files = new TranscriptFiles()
  const ids = Array.from({ length: 5 }, () => randomUUID())
  const lines = ids.map((uuid, index) =>
    said('user', index === 2 ? 'x'.repeat(9 * 1024 * 1024) : `message ${index}`, {
      uuid,
      parentUuid: ids[index - 1] ?? null,
    }),
  )
  const sessionId = files.add(lines.join(''))
  const reader = await files.open()

  const last = await reader.page(sessionId, { limit: 2 })
  expect(last.entries.map(({ entry }) => entry.uuid)).toEqual(ids.slice(3))
  expect(last.entries[0]).toMatchObject({ offset: Buffer.byteLength(lines.slice(0, 3).join('')) })
  const first = await reader.page(sessionId, { limit: 10, before: last.before! })
  expect(first.entries.map(({ entry }) => entry.uuid)).toEqual(ids.slice(0, 3))
  expect(first.before).toBeUndefined()
  expect(first.entries[2]?.entry).toEqual({
    type: 'user',
    uuid: ids[2],
    timestamp: expect.any(String),
    truncated: true,
    bytes: lines[2]!.length - 1,
  })
  await expect(reader.page(sessionId, { limit: 2, before: 'junk' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(await reader.page(randomUUID(), { limit: 2 })).toEqual({ entries: [], before: undefined })
  expect(await reader.page('../x', { limit: 2 })).toEqual({ entries: [], before: undefined })
})

it('finds words of people and of the model, newest first', async () => {
  await using files = new TranscriptFiles()
  const messageId = randomUUID()
  const sessionId = files.add(
    said('user', 'please paint the café wall') +
      said('assistant', 'I painted foo_bar the wall') +
      said('user', 'Ünïcode WALL again\0with a NUL', {
        uuid: messageId,
        timestamp: '2027-05-05T00:00:00.000Z',
      }) +
      said('user', 'no time at all about walls', { timestamp: 'yesterday' }),
    { time: '2020-01-01T00:00:00Z' },
  )
  const reader = await files.open()
  await indexed(reader)

  const { hits, complete } = await reader.search('wall', { limit: 10, except: [] })
  expect(complete).toBe(true)
  expect(hits).toHaveLength(4)
  expect(hits[0]).toEqual({
    sessionId,
    messageId,
    role: 'user',
    snippet: 'Ünïcode WALL again with a NUL',
    time: '2027-05-05T00:00:00.000Z',
  })
  expect(hits.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user'])
  expect(hits[3]?.time).toBeUndefined()
  expect((await reader.search('wall', { limit: 1, except: [] })).hits).toHaveLength(1)
  const count = async (text: string) => (await reader.search(text, { limit: 10, except: [] })).hits.length
  expect(await count('wal')).toBe(4)
  expect(await count('wal ')).toBe(0)
  expect(await count('cafe WALL')).toBe(1)
  expect(await count('foo_bar')).toBe(1)
  expect(await count('bar_foo')).toBe(0)
  expect(await count('nothing wall')).toBe(0)
})

it('searches some transcripts only, or all but some', async () => {
  await using files = new TranscriptFiles()
  const [one, two, three] = ['one', 'two', 'three'].map((text) => files.add(said('user', `a wall ${text}`)))
  const reader = await files.open()
  await indexed(reader)
  const found = async (which: { only: string[] } | { except: string[] }) =>
    new Set((await reader.search('wall', { limit: 10, ...which })).hits.map(({ sessionId }) => sessionId))
  expect(await found({ except: [] })).toEqual(new Set([one, two, three]))
  expect(await found({ except: [two ?? '', "'"] })).toEqual(new Set([one, three]))
  expect(await found({ only: [two ?? '', "'"] })).toEqual(new Set([two]))
  expect(await found({ only: [] })).toEqual(new Set())
})

it('takes no search for more than words', async () => {
  await using files = new TranscriptFiles()
  files.add(said('user', 'alpha AND beta'))
  const reader = await files.open()
  await indexed(reader)

  const hostile = [
    '"',
    '""',
    'alpha"',
    '*',
    'alpha*beta',
    '(',
    'NEAR(alpha',
    'text:alpha',
    '-alpha',
    '^alpha',
    "'",
    '\0',
  ]
  for (const text of [
    ...hostile,
    'a'.repeat(100_000),
    'alpha '.repeat(5000),
    '🙂',
    '\ud800',
    'OR',
    'NOT NOT',
  ])
    expect((await reader.search(text, { limit: 5, except: [] })).complete, text.slice(0, 20)).toBe(true)
  expect((await reader.search('alpha OR', { limit: 5, except: [] })).hits).toHaveLength(0)
  expect((await reader.search('-alpha AND "beta', { limit: 5, except: [] })).hits).toHaveLength(1)
})

it('indexes a torn last line once it is complete, and each line once', async () => {
  await using files = new TranscriptFiles()
  const torn = said('assistant', 'the torn elephant')
  const sessionId = files.add(said('user', 'whole giraffe') + torn.slice(0, 60))
  const reader = await files.open()
  await indexed(reader)
  expect(await reader.get(sessionId)).toMatchObject({ messageCount: 1 })
  expect((await reader.search('elephant', { limit: 5, except: [] })).hits).toEqual([])

  files.append(sessionId, torn.slice(60))
  await eventually(async () => (await reader.get(sessionId))?.messageCount === 2)
  expect((await reader.search('elephant', { limit: 5, except: [] })).hits).toHaveLength(1)
  expect((await reader.search('giraffe', { limit: 5, except: [] })).hits).toHaveLength(1)
})

it('reads a file anew that shrank, was written over or was replaced', async () => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(
    said('user', 'alpha one') + said('user', 'alpha two') + said('user', 'alpha three'),
  )
  const reader = await files.open()
  await indexed(reader)
  const count = async (text: string) => (await reader.search(text, { limit: 10, except: [] })).hits.length
  expect(await count('alpha')).toBe(3)

  writeFileSync(files.path(sessionId), said('user', 'bravo'))
  await eventually(async () => (await count('bravo')) === 1)
  expect(await count('alpha')).toBe(0)
  // What the list says follows what can be found.
  await expect.poll(() => reader.get(sessionId)).toMatchObject({ messageCount: 1, firstPrompt: 'bravo' })

  // Longer than before, and in the same file.
  writeFileSync(files.path(sessionId), said('user', 'charlie') + said('user', 'charlie again'))
  await eventually(async () => (await count('charlie')) === 2)
  expect(await count('bravo')).toBe(0)

  const copy = join(files.root, 'copy')
  writeFileSync(copy, said('user', 'delta') + said('user', 'delta again') + said('user', 'and delta'))
  renameSync(copy, files.path(sessionId))
  await eventually(async () => (await count('delta')) === 3)
  expect(await count('charlie')).toBe(0)
})

it('counts a message of the model once, in however many lines it is', async () => {
  await using files = new TranscriptFiles()
  const message = (text: string) => ({
    message: { role: 'assistant', id: 'msg_1', model: 'claude-test-1', content: [{ type: 'text', text }] },
  })
  const sessionId = files.add(said('user', 'do it') + said('assistant', '', message('first part')))
  const reader = await files.open()
  await indexed(reader)
  files.append(sessionId, said('assistant', '', message('second part')))
  await eventually(
    async () => (await reader.search('second part', { limit: 5, except: [] })).hits.length === 1,
  )

  await expect
    .poll(async () => (await reader.get(sessionId))?.bytes)
    .toBe(statSync(files.path(sessionId)).size)
  expect(await reader.get(sessionId)).toMatchObject({ messageCount: 2 })
})

it('shows one session once, from its newest file', async () => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(said('user', 'older copy'), { time: '2026-01-01T00:00:00Z' })
  // Whatever the order in which folders are read.
  files.add(said('user', 'oldest', { cwd: '/z' }), { sessionId, project: 'z', time: '2025-01-01T00:00:00Z' })
  files.add(said('user', 'oldest', { cwd: '/a' }), { sessionId, project: 'a', time: '2025-01-01T00:00:00Z' })
  files.add(said('user', 'newer copy', { cwd: '/q' }), {
    sessionId,
    project: 'q',
    time: '2026-01-02T00:00:00Z',
  })
  const reader = await files.open()
  await indexed(reader)
  expect(await reader.list({ limit: 5 })).toMatchObject([{ sessionId, cwd: '/q', firstPrompt: 'newer copy' }])
  expect(await reader.list({ limit: 5, cwds: ['/p'] })).toEqual([])

  unlinkSync(files.path(sessionId, 'q'))
  await eventually(async () => (await reader.get(sessionId))?.cwd === '/p')
  expect(await reader.list({ limit: 5, cwds: ['/q'] })).toEqual([])
})

it('follows no link out of the folder', async () => {
  await using files = new TranscriptFiles()
  const outside = join(files.root, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, `${randomUUID()}.jsonl`), said('user', 'secret folder'))
  const secret = join(outside, 'secret.txt')
  writeFileSync(secret, said('user', 'secret file'))
  const sessionId = files.add(said('user', 'known'))
  symlinkSync(outside, join(files.configDir, 'projects', '-outside'))
  symlinkSync(secret, files.path(randomUUID()))
  const reader = await files.open()
  await indexed(reader)

  expect((await reader.list({ limit: 5 })).map((info) => info.sessionId)).toEqual([sessionId])
  expect((await reader.search('secret', { limit: 5, except: [] })).hits).toEqual([])
})

it('starts the index when something is first asked of it, and not before', async () => {
  await using files = new TranscriptFiles()
  files.add(said('user', 'was there'))
  const reader = await files.open()
  expect(existsSync(files.indexPath)).toBe(false)
  expect(reader.progress()).toEqual({ transcripts: 0, indexed: 0 })
  await eventually(async () => (await reader.list({ limit: 10 })).length === 1)
  expect(existsSync(files.indexPath)).toBe(true)
})

it('looks by itself where the system has no watches left, and says so', async () => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(said('user', 'was there'))
  const noWatches = fileURLToPath(new URL('./no-watches.mjs', import.meta.url))
  const program = fileURLToPath(new URL('./follow-transcripts.mjs', import.meta.url))
  const args = ['--import', noWatches, program, files.configDir, files.indexPath]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))

  await eventually(() => lines.includes('was there'))
  await eventually(() => lines.some((line) => line.includes('cannot be watched')))
  files.add(said('user', 'appeared'))
  await eventually(() => lines.includes('appeared'))
  unlinkSync(files.path(sessionId))
  await eventually(() => lines.includes('gone'))
  child.kill('SIGKILL')
  await once(child, 'close')
}, 60_000)
