import { readdir, readFile, stat } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Entry, EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { type ForkSessionOptions, forkSession } from './fork-session.ts'
import { getSessionInfo } from './session-info.ts'
import { getSessionMessages } from './session-messages.ts'

const make = new EntryMaker()
let transcripts: TranscriptFolder
beforeEach(async () => {
  transcripts = await TranscriptFolder.create()
})
afterEach(async () => {
  await transcripts[Symbol.asyncDispose]()
})

async function fork(id: string, options: ForkSessionOptions = {}) {
  const { configDir } = transcripts
  const { sessionId } = await forkSession(id, { configDir, ...options })
  const text = await readFile(transcripts.path(sessionId), 'utf8')
  const entries: Entry[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const messages = await getSessionMessages(sessionId, { configDir })
  const origin = (entry: Entry) => make.key((entry.forkedFrom as { messageUuid: string }).messageUuid)
  const copied = entries.filter((entry) => entry.forkedFrom !== undefined)
  const byId = new Map(copied.map((entry) => [entry.uuid, origin(entry)]))
  return {
    sessionId,
    entries,
    copied,
    keys: copied.map(origin),
    said: messages.map((item) => byId.get(item.uuid)),
  }
}

const conversation = () => [
  { type: 'queue-operation', operation: 'enqueue' },
  make.user('a'),
  { type: 'atis-latch', atis: '' },
  make.toolUse('t1', 'a', 'm', '1'),
  make.toolUse('t2', 't1', 'm', '2'),
  make.toolResult('r1', 't1', '1'),
  make.toolResult('r2', 't2', '2'),
  make.assistant('b', 'r2', { slug: 'a-plan' }),
  { type: 'cost-state', totalCostUSD: 1 },
  make.user('c', 'b'),
  make.assistant('d', 'c'),
  make.user('e', 'b'),
]

describe('forkSession', () => {
  it('copies the conversation in order under new ids, linked to the original', async () => {
    const id = await transcripts.add(conversation())
    const before = await readFile(transcripts.path(id), 'utf8')
    const copy = await fork(id)
    expect(copy.keys).toEqual(['a', 't1', 't2', 'r1', 'r2', 'b', 'c', 'd', 'e'])
    expect(copy.said).toEqual(['a', 't1', 't2', 'r1', 'r2', 'b', 'e'])
    expect(new Set(copy.entries.map((entry) => entry.sessionId))).toEqual(new Set([copy.sessionId]))
    const all = JSON.stringify(copy.entries.map(({ forkedFrom: _, ...entry }) => entry))
    for (const key of copy.keys) expect(all).not.toContain(make.id(key))
    expect(all).not.toContain('a-plan')
    expect(copy.entries.map((entry) => entry.type)).not.toContain('cost-state')
    expect(copy.entries.filter((entry) => entry.type === 'atis-latch')).toHaveLength(1)
    expect(await readFile(transcripts.path(id), 'utf8')).toBe(before)
  })

  it('keeps every reference between entries', async () => {
    const id = await transcripts.add([make.user('a'), make.assistant('b', 'a'), make.user('c', 'b')])
    const { copied } = await fork(id)
    expect(copied.map((entry) => entry.parentUuid)).toEqual([null, copied[0]?.uuid, copied[1]?.uuid])
  })

  it('ends at the message that is asked for, also on a branch that was abandoned', async () => {
    const id = await transcripts.add(conversation())
    expect((await fork(id, { upToMessageId: make.id('b') })).said).toEqual(['a', 't1', 't2', 'r1', 'r2', 'b'])
    expect((await fork(id, { upToMessageId: make.id('d') })).said?.slice(-2)).toEqual(['c', 'd'])
    expect((await fork(id, { upToMessageId: make.id('a') })).said).toEqual(['a'])
  })

  it('leaves nothing behind when the message is not in the session', async () => {
    const id = await transcripts.add(conversation())
    await expect(fork(id, { upToMessageId: make.id('never') })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
    expect(await readdir(transcripts.folder())).toEqual([`${id}.jsonl`])
  })

  it('carries a compaction with what it kept, and ends before, at or after it', async () => {
    const kept = { preservedMessages: { anchorUuid: make.id('sum'), uuids: [make.id('b')] } }
    const boundary = make.entry('system', 'cut', null, {
      subtype: 'compact_boundary',
      logicalParentUuid: make.id('b'),
      compactMetadata: { trigger: 'auto', ...kept },
    })
    const summary = make.user('sum', 'cut', { isCompactSummary: true })
    const id = await transcripts.add([
      make.user('a'),
      make.assistant('b', 'a'),
      boundary,
      summary,
      make.user('c', 'sum'),
    ])
    expect((await fork(id)).said).toEqual(['sum', 'b', 'c'])
    expect((await fork(id, { upToMessageId: make.id('sum') })).said).toEqual(['sum'])
    expect((await fork(id, { upToMessageId: make.id('cut') })).said).toEqual(['a', 'b'])
  })

  it('is titled, private, and leaves out lines that are broken', async () => {
    const id = await transcripts.add(`${JSON.stringify(make.user('hello'))}\n{"broken\n`)
    const info = async (sessionId: string) =>
      await getSessionInfo(sessionId, { configDir: transcripts.configDir })
    const copy = await fork(id)
    expect((await info(copy.sessionId))?.customTitle).toBe('hello (fork)')
    expect((await stat(transcripts.path(copy.sessionId))).mode & 0o777).toBe(0o600)
    expect((await info((await fork(id, { title: ' Mine\n' })).sessionId))?.customTitle).toBe('Mine')
    const long = await transcripts.add([make.user('w'.repeat(400))])
    expect((await info((await fork(long)).sessionId))?.customTitle).toMatch(/^w+ \(fork\)$/)
  })

  it('fails for a session that is not there', async () => {
    const missing = forkSession('00000000-0000-4000-8000-000000000000', { configDir: transcripts.configDir })
    await expect(missing).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})
