/** Results in files of our making: found wherever they are, and nothing outside of their session is read. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createResultFiles } from '../../src/adapters/transcripts/result-files.ts'

const id = randomUUID()
let root: string
let folder: string
let transcript: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-results-')))
  folder = join(root, 'projects', '-p', id)
  transcript = `${folder}.jsonl`
  mkdirSync(join(folder, 'tool-results'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const files = createResultFiles(async (cliId) => (cliId === id ? transcript : undefined))
const result = (toolCallId: string, content: string) => ({
  parentUuid: null,
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolCallId, content }] },
})
const lines = (...entries: unknown[]) => `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`
const contentOf = (entry: Record<string, unknown> | undefined) =>
  (entry?.message as ReturnType<typeof result>['message'] | undefined)?.content[0]?.content
const find = async (toolCallId: string, where: 'session' | 'subagents' = 'session') =>
  contentOf(await files.find(id, { toolCallId }, where))

async function read(name: string): Promise<string | undefined> {
  const source = await files.saved(id, name)
  let text = ''
  for await (const piece of source?.read() ?? []) text += piece.toString()
  return source && text
}

describe('an entry', () => {
  it('is found in any order, also across the pieces in which a file is read', async () => {
    // With lines of these lengths every place of a line falls on the edge of a piece once.
    const ids = Array.from({ length: 60 }, (_, index) => `toolu_${index}`)
    const entries = ids.map((one, index) => result(one, `${one} ${'x'.repeat(99_991 + index)}`))
    writeFileSync(transcript, lines(...entries))
    for (const one of [...ids, ...ids.toReversed()]) expect((await find(one))?.split(' ')[0]).toBe(one)
    expect(await find('toolu_60')).toBeUndefined()
    expect(await find('toolu_6')).toMatch(/^toolu_6 /)
  })

  it('is the result itself, and not what only names the call', async () => {
    const quoted = result('toolu_other', lines(result('toolu_1', 'quoted')))
    const returned = { ...result('toolu_third', ''), toolUseResult: { tool_use_id: 'toolu_1' } }
    const request = { type: 'api-request', messages: [result('toolu_1', 'sent').message] }
    writeFileSync(transcript, lines(quoted, returned, request, result('toolu_1', 'itself')))
    expect(await find('toolu_1')).toBe('itself')
  })

  it('can be a subagent’s, and a message of a person’s', async () => {
    mkdirSync(join(folder, 'subagents'))
    writeFileSync(join(folder, 'subagents', 'agent-a1.jsonl'), lines(result('toolu_2', 'by an agent')))
    const uuid = randomUUID()
    const said = { parentUuid: null, type: 'user', message: { role: 'user', content: 'hello' }, uuid }
    const queued = { parentUuid: uuid, type: 'attachment', attachment: { prompt: 'go on', source_uuid: id } }
    writeFileSync(transcript, lines({ ...said, uuid: id, type: 'assistant' }, said, queued))
    expect(await find('toolu_2')).toBeUndefined()
    expect(await find('toolu_2', 'subagents')).toBe('by an agent')
    expect(await files.find(id, { messageId: uuid }, 'session')).toEqual(said)
    expect(await files.find(id, { messageId: id }, 'session')).toEqual(queued)
  })

  it('is nobody’s where the transcript is a link', async () => {
    writeFileSync(join(root, 'elsewhere.jsonl'), lines(result('toolu_1', 'elsewhere')))
    symlinkSync(join(root, 'elsewhere.jsonl'), transcript)
    expect(await find('toolu_1')).toBeUndefined()
    mkdirSync(join(folder, 'subagents'))
    symlinkSync(join(root, 'elsewhere.jsonl'), join(folder, 'subagents', 'agent-a1.jsonl'))
    expect(await find('toolu_1', 'subagents')).toBeUndefined()
  })
})

describe('a file that the CLI kept', () => {
  beforeEach(() => writeFileSync(join(root, 'secret'), 'the secret'))
  const own = (name: string) => join(folder, 'tool-results', name)

  it('is read, all of it or a part', async () => {
    writeFileSync(own('a.txt'), 'x'.repeat(600_000))
    expect(await read('a.txt')).toHaveLength(600_000)
    const source = await files.saved(id, 'a.txt')
    let length = 0
    for await (const piece of source?.read(599_990) ?? []) length += piece.length
    expect([source?.bytes, length]).toEqual([600_000, 10])
  })

  it.each(['../../../../secret', '../beside', 'below/file', '.hidden', 'end.', 'a b'])(
    'has a plain name, and %j is none',
    async (name) => {
      mkdirSync(own('below'))
      for (const path of ['below/file', '.hidden', 'end.', 'a b', '../beside'])
        writeFileSync(own(path), 'there')
      expect(await files.saved(id, name)).toBeUndefined()
    },
  )

  it.each(['', '.', '..', '/', 'a\0b', 'x'.repeat(300)])('has a name, and %j is none', async (name) => {
    expect(await files.saved(id, name)).toBeUndefined()
  })

  it('lies there itself: no link to a file, no other name of one, no pipe, no folder', async () => {
    symlinkSync(join(root, 'secret'), own('link.txt'))
    linkSync(join(root, 'secret'), own('hard.txt'))
    execFileSync('mkfifo', [own('pipe.txt')])
    mkdirSync(own('folder.txt'))
    for (const name of ['link.txt', 'hard.txt', 'pipe.txt', 'folder.txt', 'none.txt'])
      expect([name, await files.saved(id, name)]).toEqual([name, undefined])
  })

  it('lies there itself: no folder on the way is a link', async () => {
    mkdirSync(join(root, 'other', 'tool-results'), { recursive: true })
    writeFileSync(join(root, 'other', 'tool-results', 'a.txt'), 'the secret')
    rmSync(join(folder, 'tool-results'), { recursive: true })
    symlinkSync(join(root, 'other', 'tool-results'), join(folder, 'tool-results'))
    expect(await files.saved(id, 'a.txt')).toBeUndefined()
    rmSync(folder, { recursive: true })
    symlinkSync(join(root, 'other'), folder)
    expect(await files.saved(id, 'a.txt')).toBeUndefined()
  })

  it('is not taken for whole where it changes while it is read', async () => {
    writeFileSync(own('a.txt'), 'x'.repeat(10))
    const source = await files.saved(id, 'a.txt')
    writeFileSync(own('a.txt'), 'x')
    await expect(async () => {
      for await (const _ of source?.read() ?? []);
    }).rejects.toThrow('shorter')
    rmSync(own('a.txt'))
    symlinkSync(join(root, 'secret'), own('a.txt'))
    await expect(async () => {
      for await (const _ of source?.read() ?? []);
    }).rejects.toThrow('went away')
  })
})
