import { appendFile, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Entry, EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { readSessionText } from './session-text.ts'

const make = new EntryMaker()
let transcripts: TranscriptFolder
beforeAll(async () => {
  transcripts = await TranscriptFolder.create()
})
afterAll(async () => {
  await transcripts[Symbol.asyncDispose]()
})

async function read(path: string, from = 0) {
  const reader = readSessionText(path, { from })
  const found = []
  for await (const text of reader) found.push(text)
  return { found, said: found.map(({ role, text }) => `${role}: ${text}`), position: reader.position }
}

const write = async (content: readonly Entry[] | string) => transcripts.path(await transcripts.add(content))
const user = (content: unknown, more: Entry = {}) =>
  make.user('u', null, { message: { role: 'user', content }, ...more })
const line = (entry: object) => `${JSON.stringify(entry)}\n`

describe('readSessionText', () => {
  it('gives what people and the model said, where and when', async () => {
    const message = {
      role: 'assistant',
      id: 'msg_1',
      model: 'claude-opus-5-5',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hello "you" é' },
        { type: 'text', text: 'again' },
      ],
    }
    const entries = [
      { type: 'queue-operation', content: 'hi' },
      make.user('hi'),
      make.assistant('b', 'hi', { message }),
    ]
    const path = await write(entries)
    const { found, position } = await read(path)
    const text = await readFile(path)
    expect(position).toBe(text.length)
    expect(found).toEqual([
      {
        offset: text.indexOf('\n') + 1,
        uuid: make.id('hi'),
        role: 'user',
        text: 'hi',
        timestamp: entries[1]?.timestamp,
      },
      {
        offset: text.lastIndexOf('\n', -2) + 1,
        uuid: make.id('b'),
        role: 'assistant',
        text: 'Hello "you" é\nagain',
        model: 'claude-opus-5-5',
        messageId: 'msg_1',
        timestamp: entries[2]?.timestamp,
      },
    ])
  })

  it('leaves out what nobody said', async () => {
    const path = await write([
      user('meta', { isMeta: true }),
      user('summary', { isCompactSummary: true }),
      user('subagent', { isSidechain: true }),
      user('<local-command-stdout>x</local-command-stdout>'),
      user('[Request interrupted by user]'),
      user('<task-notification>x</task-notification>'),
      make.toolUse('t', 'u', 'm', '1'),
      make.toolResult('r', 't', '1'),
      make.entry('attachment', 'a', 'r', { attachment: { type: 'date', date: 'x' } }),
      make.entry('system', 's', 'a', { content: 'notice' }),
      { type: 'summary', summary: 'x' },
      make.assistant('error', 's', {
        message: { model: '<synthetic>', content: [{ type: 'text', text: 'Oh' }] },
      }),
    ])
    const { found, said } = await read(path)
    expect(said).toEqual(['assistant: Oh'])
    expect(found[0]).not.toHaveProperty('model')
  })

  it('is not misled by what a text looks like, nor by another order of fields', async () => {
    const said = '{"type":"tool_result"},"isSidechain":true,{"type":"attachment"}'
    const { message, ...rest } = user(said)
    const path = await write([user(said), { message, ...rest }, { type: 'user', ...rest, message }])
    expect((await read(path)).said).toEqual(Array.from({ length: 3 }, () => `user: ${said}`))
  })

  it('gives commands, and what was said into a running turn', async () => {
    const queued = { type: 'queued_command', prompt: 'and this', source_uuid: 'sent', commandMode: 'prompt' }
    const path = await write([
      user('<command-name>/review</command-name>\n<command-args>all of it</command-args>'),
      user('<bash-input>ls</bash-input>'),
      user([{ type: 'text', text: 'look' }, { type: 'image' }]),
      make.entry('attachment', 'q', 'u', { attachment: queued }),
      make.entry('attachment', 'q2', 'u', {
        attachment: { ...queued, prompt: [{ type: 'text', text: 'blocks' }], source_uuid: undefined },
      }),
      make.entry('attachment', 'n', 'u', { attachment: { ...queued, commandMode: 'task-notification' } }),
    ])
    const { found, said } = await read(path)
    expect(said).toEqual([
      'user: /review all of it',
      'user: ! ls',
      'user: look',
      'user: and this',
      'user: blocks',
    ])
    expect(found.slice(3).map(({ uuid }) => uuid)).toEqual(['sent', make.id('q2')])
  })

  it('goes on where it was, and waits for a line to be whole', async () => {
    const next = line(make.assistant('b', 'a'))
    const path = await write(line(make.user('a')) + next.slice(0, 50))
    const first = await read(path)
    expect(first.said).toEqual(['user: a'])
    await appendFile(path, next.slice(50) + line(make.user('c', 'b')))
    const second = await read(path, first.position)
    expect(second.said).toEqual(['assistant: b', 'user: c'])
    expect((await read(path, second.position)).said).toEqual([])
  })

  it('takes a last line without a newline that is whole', async () => {
    const path = await write(line(make.user('a')).trimEnd())
    const { said, position } = await read(path)
    expect(said).toEqual(['user: a'])
    await appendFile(path, `\n${line(make.user('b'))}`)
    expect((await read(path, position)).said).toEqual(['user: b'])
  })

  it('passes over broken lines, and finds the text in lines of 20 MB', async () => {
    const data = 'iVBO'.repeat(5_000_000)
    const image = { type: 'image', source: { type: 'base64', data } }
    const path = await write(
      [
        '{"broken\n\n\u0000\n[1]\n',
        line(user([{ type: 'text', text: 'what is "this"?' }, image])),
        line(make.user('r', 'u', { message: { content: [{ type: 'tool_result', content: [image] }] } })),
        line({ type: 'api-request-blob', data, uuid: 'x' }),
        line(user(`long ${'x'.repeat(3_000_000)}`)),
        line(user([image])).slice(0, -10),
      ].join(''),
    )
    const { said, found, position } = await read(path)
    expect(said.map((text) => text.slice(0, 25))).toEqual([
      'user: what is "this"?',
      'user: long xxxxxxxxxxxxxx',
    ])
    expect(found[1]?.text.length).toBe(1024 * 1024)
    expect(position).toBe((await readFile(path)).lastIndexOf('\n') + 1)
  })

  it('has nothing to say of a file that is not there, and refuses what is none', async () => {
    const path = transcripts.path('00000000-0000-4000-8000-000000000000')
    expect(await read(path)).toMatchObject({ said: [], position: 0 })
    await expect(read('/etc/passwd')).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    expect(() => readSessionText(path, { from: -1 })).toThrow('from')
  })
})
