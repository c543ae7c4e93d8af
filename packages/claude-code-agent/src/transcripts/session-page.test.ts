import { appendFile, readFile, truncate } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Entry, EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { getSessionMessages } from './session-messages.ts'
import { type ReadSessionPageOptions, readSessionPage, type SessionPageMessage } from './session-page.ts'

const make = new EntryMaker()
let transcripts: TranscriptFolder
beforeAll(async () => {
  transcripts = await TranscriptFolder.create()
})
afterAll(async () => {
  await transcripts[Symbol.asyncDispose]()
})

const page = (id: string, options: ReadSessionPageOptions = {}) =>
  readSessionPage(id, { configDir: transcripts.configDir, ...options })
const names = (messages: { uuid: string }[]) => messages.map(({ uuid }) => make.key(uuid))

/** All pages, oldest first. */
async function allPages(id: string, options: ReadSessionPageOptions = {}) {
  const pages: SessionPageMessage[][] = []
  for (let before: string | undefined; ; ) {
    const { messages, before: older } = await page(id, {
      ...options,
      ...(before !== undefined && { before }),
    })
    pages.unshift(messages)
    if (older === undefined) return pages
    before = older
  }
}

const conversation = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => at + from).map((at) =>
    at % 2 === 0
      ? make.user(`m${at}`, at === 0 ? null : `m${at - 1}`)
      : make.assistant(`m${at}`, `m${at - 1}`),
  )

describe('readSessionPage', () => {
  it('gives the newest messages with their place and their whole entry', async () => {
    const entries = [make.user('one', null, { custom: { field: 1 } }), make.assistant('two', 'one')]
    const id = await transcripts.add(entries)
    const { messages, before, fileSize } = await page(id)
    expect(before).toBeUndefined()
    const text = await readFile(transcripts.path(id))
    expect(fileSize).toBe(text.length)
    for (const [index, message] of messages.entries()) {
      const entry = JSON.parse(text.toString('utf8', message.offset, message.offset + message.bytes))
      expect(message.entry).toEqual(entry)
      expect(entry).toMatchObject(entries[index] as object)
    }
    expect(messages).toMatchObject([
      {
        type: 'user',
        uuid: make.id('one'),
        parentUuid: null,
        session_id: id,
        timestamp: entries[0]?.timestamp,
      },
      { type: 'assistant', parentUuid: make.id('one'), message: entries[1]?.message },
    ])
  })

  it('pages to the beginning', async () => {
    const id = await transcripts.add(conversation(10))
    const pages = await allPages(id, { limit: 4 })
    expect(pages.map(names)).toEqual([
      ['m0', 'm1'],
      ['m2', 'm3', 'm4', 'm5'],
      ['m6', 'm7', 'm8', 'm9'],
    ])
  })

  it('a cursor stays good while the file grows, in whatever way', async () => {
    const id = await transcripts.add(conversation(10))
    const { before = '' } = await page(id, { limit: 4 })
    const rewound = [make.user('other', 'm3'), make.assistant('answer', 'other')]
    await appendFile(transcripts.path(id), rewound.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    expect(names((await page(id, { limit: 3, before })).messages)).toEqual(['m3', 'm4', 'm5'])
    expect(names((await page(id, { limit: 3 })).messages)).toEqual(['m3', 'other', 'answer'])
  })

  it('keeps a message of the model and the results of its tool calls on one page', async () => {
    const id = await transcripts.add([
      make.user('a'),
      make.toolUse('t1', 'a', 'm', '1'),
      make.toolResult('r1', 't1', '1'),
      make.toolUse('t2', 't1', 'm', '2'),
      make.toolUse('t3', 't2', 'm', '3'),
      make.toolResult('r3', 't3', '3'),
      make.toolResult('r2', 't2', '2'),
      make.assistant('z', 'r2'),
    ])
    const pages = await allPages(id, { limit: 2 })
    expect(pages.map(names)).toEqual([['a'], ['t1', 't2', 't3', 'r1', 'r3', 'r2'], ['z']])
  })

  it('goes through compactions, and shows them', async () => {
    const boundary = make.entry('system', 'cut', null, {
      subtype: 'compact_boundary',
      logicalParentUuid: make.id('m1'),
      compactMetadata: { trigger: 'manual' },
    })
    const summary = make.user('summary', 'cut', { isCompactSummary: true })
    const id = await transcripts.add([...conversation(2), boundary, summary, make.user('next', 'summary')])
    const { messages } = await page(id)
    expect(names(messages)).toEqual(['m0', 'm1', 'cut', 'summary', 'next'])
    expect(messages[2]).toMatchObject({ type: 'system', message: { subtype: 'compact_boundary' } })
    expect(messages[3]).toMatchObject({ isCompactSummary: true })
  })

  it('shows what was said into a running turn under the id that it was sent with', async () => {
    const command = (key: string, parent: string, more: Entry) =>
      make.entry('attachment', key, parent, {
        attachment: { type: 'queued_command', prompt: 'also', ...more },
      })
    const id = await transcripts.add([
      make.user('a'),
      command('q', 'a', { source_uuid: make.id('sent'), commandMode: 'prompt' }),
      command('n', 'q', { commandMode: 'task-notification' }),
      make.entry('attachment', 'date', 'n', { attachment: { type: 'date' } }),
      make.assistant('b', 'date'),
    ])
    const { messages } = await page(id)
    expect(names(messages)).toEqual(['a', 'sent', 'b'])
    expect(messages[1]).toMatchObject({ type: 'user', message: { role: 'user', content: 'also' } })
    expect(messages[1]?.entry?.uuid).toBe(make.id('q'))
  })

  it('passes over a torn end, broken lines and what is no part of the conversation', async () => {
    const line = (entry: object) => `${JSON.stringify(entry)}\n`
    const [a, b, c] = conversation(3).map(line) as [string, string, string]
    const side = line(make.user('side', 'm1', { isSidechain: true }))
    const text = `${a}{"broken\n\n${b}${side}\u0000\n{"type":"summary"}\n${c}`
    expect(names((await page(await transcripts.add(text))).messages)).toEqual(['m0', 'm1', 'm2'])
    const torn = await transcripts.add(text.slice(0, -10))
    expect(names((await page(torn)).messages)).toEqual(['m0', 'm1'])
    await appendFile(transcripts.path(torn), text.slice(-10))
    expect(names((await page(torn)).messages)).toEqual(['m0', 'm1', 'm2'])
  })

  it('passes over a torn end that is too long to be held', async () => {
    const long = make.user('long', 'm1', { message: { role: 'user', content: 'x'.repeat(3_000_000) } })
    const text = [...conversation(2), long].map((entry) => `${JSON.stringify(entry)}\n`).join('')
    const id = await transcripts.add(text.slice(0, -100))
    expect(names((await page(id, { limit: 1 })).messages)).toEqual(['m1'])
    await appendFile(transcripts.path(id), text.slice(-100))
    expect(names((await page(id, { limit: 1 })).messages)).toEqual(['long'])
  })

  it('takes an entry that was written twice where it was written last', async () => {
    const call = make.toolUse('t2', 't1', 'm', '2')
    const entries = [
      make.user('a'),
      make.toolUse('t1', 'a', 'm', '1'),
      { ...call, copy: 1 },
      { ...call, copy: 2 },
      make.toolResult('r1', 't1', '1'),
      make.assistant('z', 'r1'),
    ]
    const { messages } = await page(await transcripts.add(entries))
    expect(names(messages)).toEqual(['a', 't1', 't2', 'r1', 'z'])
    expect(messages[2]?.entry?.copy).toBe(2)
  })

  it('opens a file with a line of 20 MB, whole or without its content', async () => {
    const image = { type: 'image', source: { type: 'base64', data: 'iVBO"\\é'.repeat(3_000_000) } }
    const content = [{ type: 'tool_result', tool_use_id: '1', content: [image] }]
    const id = await transcripts.add([
      make.user('a'),
      make.toolUse('t', 'a', 'm', '1'),
      make.toolUse('t2', 't', 'm', '2'),
      make.user('big', 't', { message: { role: 'user', content } }),
      make.toolResult('small', 't2', '2'),
      make.assistant('b', 'small'),
    ])
    const whole = await page(id)
    const order = ['a', 't', 't2', 'small', 'big', 'b']
    expect(names(whole.messages).toSorted()).toEqual(order.toSorted())
    const big = whole.messages.find(({ uuid }) => uuid === make.id('big'))
    expect(big?.message).toEqual({ role: 'user', content })
    const cut = (await page(id, { maxLineBytes: 100_000 })).messages.find(
      ({ uuid }) => uuid === make.id('big'),
    )
    const { entry: _, message: __, ...rest } = big as SessionPageMessage
    expect(cut).toEqual({ ...rest, message: undefined, truncated: true })
  })

  it('stops early with what it has, and goes on from there', async () => {
    const filler = (parent: string, key: string) =>
      make.user(key, parent, { message: { role: 'user', content: 'x'.repeat(50_000) } })
    const id = await transcripts.add([
      make.user('a'),
      filler('a', 'b'),
      ...Array.from({ length: 20 }, (_, at) => filler('a', `rewound${at}`)),
      filler('b', 'c'),
      filler('c', 'd'),
    ])
    const pages = await allPages(id, { maxBytes: 120_000 })
    expect(pages.map(names)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('takes a path, and only of the session that is asked for', async () => {
    const id = await transcripts.add(conversation(2))
    const path = transcripts.path(id)
    expect(names((await readSessionPage(id, { path })).messages)).toEqual(['m0', 'm1'])
    const other = await transcripts.add(conversation(2))
    expect((await readSessionPage(other, { path })).messages).toEqual([])
    await expect(readSessionPage(id, { path: '/etc/passwd' })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })

  it('is empty where there is nothing, and for a cursor beyond what is left of a file', async () => {
    const none = { messages: [], before: undefined, fileSize: 0 }
    expect(await page('00000000-0000-4000-8000-000000000000')).toEqual(none)
    expect(await page(await transcripts.add(''))).toEqual(none)
    const id = await transcripts.add(conversation(10))
    const { before = '' } = await page(id, { limit: 2 })
    await truncate(transcripts.path(id), 20)
    expect((await page(id, { before })).messages).toEqual([])
  })

  it.each([{ before: 'x' }, { before: '-1:a' }, { before: '5:' }, { limit: 0 }, { maxBytes: Number.NaN }])(
    'refuses %j',
    async (options) => {
      const id = await transcripts.add(conversation(2))
      await expect(page(id, options)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
      await expect(page('../x')).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    },
  )

  it('survives cycles and missing parents, and comes to an end', async () => {
    const cycle = await transcripts.add([make.user('a', 'b'), make.user('b', 'c'), make.user('c', 'a')])
    expect(names((await page(cycle)).messages)).toEqual(['b', 'a', 'c'])
    expect((await allPages(cycle, { limit: 1 })).length).toBeLessThan(5)
    const orphan = await transcripts.add([make.user('a'), make.user('d', 'gone'), make.user('e', 'd')])
    expect(names((await page(orphan)).messages)).toEqual(['d', 'e'])
  })
})

/** What happens in a session, as it is written. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.constant('say' as const) },
  { weight: 4, arbitrary: fc.constant('answer' as const) },
  { weight: 3, arbitrary: fc.constant('tools' as const) },
  fc.constant('rewind' as const),
  fc.constant('compact' as const),
  fc.constant('subagent' as const),
  fc.constant('notice' as const),
  fc.constant('meta' as const),
  fc.constant('note' as const),
)

function write(happenings: { what: string; pick: number }[]): Entry[] {
  const entries: Entry[] = []
  let last: string | null = null
  const spine: string[] = []
  const add = (entry: Entry, key: string) => {
    entries.push(entry)
    last = key
    spine.push(key)
  }
  for (const [at, { what, pick }] of happenings.entries()) {
    const key = `h${at}`
    if (what === 'say') add(make.user(key, last), key)
    if (what === 'answer') add(make.assistant(key, last), key)
    if (what === 'notice') add(make.entry('system', key, last, { subtype: 'informational' }), key)
    if (what === 'meta') add(make.user(key, last, { isMeta: true }), key)
    if (what === 'note') entries.push({ type: 'custom-title', customTitle: key })
    if (what === 'subagent') entries.push(make.user(key, last, { isSidechain: true }))
    if (what === 'rewind' && spine.length > 0) last = spine[pick % spine.length] ?? null
    if (what === 'compact' && last !== null) {
      const more = { subtype: 'compact_boundary', logicalParentUuid: make.id(last) }
      add(make.entry('system', key, null, more), key)
    }
    if (what === 'tools') addTools(key, pick)
  }
  return entries

  /** Parallel calls; results in any order, the last one leads on. */
  function addTools(key: string, pick: number) {
    const calls = Array.from({ length: 1 + (pick % 3) }, (_, index) => `${key}t${index}`)
    for (const [index, call] of calls.entries())
      entries.push(make.toolUse(call, (index === 0 ? last : calls[index - 1]) as string, key, call))
    const order = pick % 2 === 0 ? calls : calls.toReversed()
    for (const call of order) entries.push(make.toolResult(`${call}r`, call, call))
    last = `${order.at(-1)}r`
    spine.push(last)
  }
}

it('pages of any size are the whole conversation', async () => {
  const steps = fc.array(fc.record({ what: happening, pick: fc.nat(20) }), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 12 }), async (happenings, limit) => {
      const id = await transcripts.add(write(happenings))
      const whole = await getSessionMessages(id, {
        configDir: transcripts.configDir,
        includeCompacted: true,
        includeSystemMessages: true,
      })
      const pages = await allPages(id, { limit })
      expect(names(pages.flat())).toEqual(names(whole))
      for (const messages of pages) expect(messages.length).toBeLessThanOrEqual(Math.max(limit, 6))
    }),
    { numRuns: 200 },
  )
})
