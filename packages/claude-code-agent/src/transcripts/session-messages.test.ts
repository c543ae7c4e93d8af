import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { type GetSessionMessagesOptions, getSessionMessages } from './session-messages.ts'

const make = new EntryMaker()
let transcripts: TranscriptFolder
beforeAll(async () => {
  transcripts = await TranscriptFolder.create()
})
afterAll(async () => {
  await transcripts[Symbol.asyncDispose]()
})

async function keys(
  content: Parameters<TranscriptFolder['add']>[0],
  options: GetSessionMessagesOptions = {},
) {
  const id = await transcripts.add(content)
  const messages = await getSessionMessages(id, { configDir: transcripts.configDir, ...options })
  return messages.map((message) => make.key(message.uuid))
}

describe('getSessionMessages', () => {
  it('gives messages in the shape of the official SDK', async () => {
    const entry = make.user('a')
    const id = await transcripts.add([entry])
    expect(await getSessionMessages(id, { configDir: transcripts.configDir })).toEqual([
      {
        type: 'user',
        uuid: make.id('a'),
        session_id: id,
        message: { role: 'user', content: 'a' },
        parent_tool_use_id: null,
        parent_agent_id: null,
        timestamp: entry.timestamp,
      },
    ])
  })

  it('shows what people and the model said, and system messages when asked', async () => {
    const notice = make.entry('system', 'notice', 'a', {
      subtype: 'informational',
      content: 'note',
      level: 'info',
    })
    const entries = [
      make.user('a'),
      notice,
      make.user('meta', 'notice', { isMeta: true }),
      make.entry('attachment', 'file', 'meta'),
      make.assistant('b', 'file'),
    ]
    expect(await keys(entries)).toEqual(['a', 'b'])
    expect(await keys(entries, { includeSystemMessages: true })).toEqual(['a', 'notice', 'b'])
    const id = await transcripts.add(entries)
    const messages = await getSessionMessages(id, {
      configDir: transcripts.configDir,
      includeSystemMessages: true,
    })
    expect(messages[1]?.message).toEqual({ subtype: 'informational', content: 'note', level: 'info' })
  })

  it('pages', async () => {
    const entries = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? make.user(`m${index}`, index === 0 ? null : `m${index - 1}`)
        : make.assistant(`m${index}`, `m${index - 1}`),
    )
    expect(await keys(entries, { offset: 10, limit: 3 })).toEqual(['m10', 'm11', 'm12'])
    expect(await keys(entries, { offset: 28, limit: 10 })).toEqual(['m28', 'm29'])
    expect(await keys(entries, { offset: 99 })).toEqual([])
    expect(await keys(entries, { limit: 0 })).toEqual([])
    await expect(keys(entries, { limit: -1 })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
  })

  it('passes over broken lines and a torn end', async () => {
    const line = (entry: object) => `${JSON.stringify(entry)}\n`
    const [a, b, c] = [line(make.user('a')), line(make.assistant('b', 'a')), line(make.user('c', 'b'))]
    expect(await keys(`${a}{"broken\n\n\u0000\u0001\n[1]\n${b}${c}`)).toEqual(['a', 'b', 'c'])
    expect(await keys(`${a}${b}${c.slice(0, -10)}`)).toEqual(['a', 'b'])
    expect(await keys(`${a}${b}${c.slice(0, -1)}`)).toEqual(['a', 'b', 'c'])
    expect(await keys('')).toEqual([])
  })

  it('reads messages of 20 MB, and round lines of 20 MB that are none', async () => {
    const long = `${'"\\é\n'.repeat(100)}${'x'.repeat(20 * 1024 * 1024)}`
    const entries = [
      make.user('a', null, { message: { role: 'user', content: long } }),
      { type: 'api-request-blob', data: long, uuid: 'none' },
      make.assistant('b', 'a'),
    ]
    const id = await transcripts.add(entries)
    const messages = await getSessionMessages(id, { configDir: transcripts.configDir })
    expect(messages.map((message) => make.key(message.uuid))).toEqual(['a', 'b'])
    expect(messages[0]?.message).toEqual({ role: 'user', content: long })
  })

  it('is empty for a session that is not there, and refuses what is no UUID', async () => {
    const { configDir } = transcripts
    expect(await getSessionMessages('00000000-0000-4000-8000-000000000000', { configDir })).toEqual([])
    await expect(getSessionMessages('../x', { configDir })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
  })
})
