import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Entry, EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { getSessionInfo } from './session-info.ts'

const make = new EntryMaker()
const user = (content: unknown, more: Entry = {}) =>
  make.user('u', null, { message: { role: 'user', content }, ...more })
const title = (customTitle: string) => ({ type: 'custom-title', customTitle })
const aiTitle = (text: string) => ({ type: 'ai-title', aiTitle: text })
const lastPrompt = (text: string) => ({ type: 'last-prompt', lastPrompt: text })
const tag = (text: string) => ({ type: 'tag', tag: text })
const filler = (bytes = 100_000) => ({ type: 'api-request-blob', data: 'z'.repeat(bytes) })

let transcripts: TranscriptFolder
beforeAll(async () => {
  transcripts = await TranscriptFolder.create()
})
afterAll(async () => {
  await transcripts[Symbol.asyncDispose]()
})

async function infoOf(content: readonly Entry[] | string | Buffer, notes: Record<string, string> = {}) {
  const id = await transcripts.add(content)
  const folder = join(transcripts.folder(), id)
  if (Object.keys(notes).length > 0) await mkdir(folder)
  for (const [name, text] of Object.entries(notes)) await writeFile(join(folder, name), text)
  return await getSessionInfo(id, { configDir: transcripts.configDir })
}
const summaryOf = async (...parameters: Parameters<typeof infoOf>) => (await infoOf(...parameters))?.summary

describe('getSessionInfo', () => {
  it('gives what the transcript says', async () => {
    const entries = [
      { type: 'queue-operation', timestamp: '2026-01-01T00:00:00.000Z' },
      make.user('hello'),
      make.user('again', 'hello', { gitBranch: 'side', cwd: '/elsewhere' }),
      tag('blue'),
    ]
    const info = await infoOf(entries)
    expect(info).toEqual({
      sessionId: info?.sessionId,
      summary: 'hello',
      firstPrompt: 'hello',
      cwd: '/p',
      gitBranch: 'side',
      tag: 'blue',
      createdAt: Date.parse('2026-01-01T00:00:00.000Z'),
      lastModified: expect.any(Number),
      fileSize: expect.any(Number),
    })
  })

  it('prefers a given title, then a generated one, then the last prompt, a summary, the first prompt', async () => {
    const summary = { type: 'summary', summary: 'summary' }
    const everything = [user('first'), summary, lastPrompt('last'), aiTitle('generated'), title('given')]
    const results = []
    for (let count = everything.length; count > 0; count--)
      results.push(await summaryOf(everything.slice(0, count)))
    expect(results).toEqual(['given', 'generated', 'last', 'summary', 'first'])
    expect(await infoOf([user('first'), aiTitle('generated')])).not.toHaveProperty('customTitle')
  })

  it('takes the latest title; an empty one clears it', async () => {
    expect(await summaryOf([user('first'), title('one'), title('two')])).toBe('two')
    expect(await summaryOf([user('first'), title('one'), title('')])).toBe('first')
    expect((await infoOf([user('first'), tag('x'), tag('')]))?.tag).toBeUndefined()
  })

  it('prefers a title at the end to the side file, and that to one at the beginning', async () => {
    const side = { 'custom-title.json': '{"customTitle":"side"}' }
    const far = [user('first'), title('head'), ...Array.from({ length: 20 }, () => filler(10_000))]
    expect(await summaryOf([...far, title('tail')], side)).toBe('tail')
    expect(await summaryOf(far, side)).toBe('side')
    expect(await summaryOf(far, { 'custom-title.json': '{"customTi' })).toBe('head')
  })

  it('is not fooled by text that looks like an entry', async () => {
    const fake = JSON.stringify(title('fake'))
    const result = [{ type: 'tool_result', tool_use_id: 't', content: fake }]
    expect(await summaryOf([user(`look: ${fake}`), user(result)])).toBe(`look: ${fake}`)
  })

  it('finds a first prompt that is long, or behind long lines', async () => {
    expect((await infoOf([user('w'.repeat(300_000))]))?.firstPrompt).toBe(`${'w'.repeat(200)}…`)
    expect(await summaryOf([filler(300_000), user('late')])).toBe('late')
  })

  it('finds notes in front of a last line that is longer than the window', async () => {
    expect(await summaryOf([user('first'), filler(), title('near the end'), filler(500_000)])).toBe(
      'near the end',
    )
  })

  it.each([
    ['a meta entry', user('meta', { isMeta: true })],
    ['a tool result', user([{ type: 'tool_result', tool_use_id: 't', content: 'x' }])],
    ['the output of a command', user('<local-command-stdout>x</local-command-stdout>')],
    ['a slash command', user('<command-name>/model</command-name>')],
    ['a notification', user('<task-notification>x</task-notification>')],
    ['an interruption', user('[Request interrupted by user]')],
    ['the summary of a compaction', user('continued', { isCompactSummary: true })],
    ['a picture', user([{ type: 'image', source: {} }])],
  ])('passes over %s for the first prompt', async (_, entry) => {
    expect((await infoOf([entry, user('real')]))?.firstPrompt).toBe('real')
  })

  it('makes do with a command, a tag or a picture where nothing else was asked', async () => {
    expect(await summaryOf([user('<command-name>/model</command-name>')])).toBe('/model')
    expect(await summaryOf([user('<div>why is this red?</div>')])).toBe('<div>why is this red?</div>')
    expect(await summaryOf([user([{ type: 'image', source: {} }])])).toBe('Image')
    expect(await summaryOf([user('<bash-input>ls</bash-input>')])).toBe('! ls')
  })

  it('reads what there is of a torn transcript', async () => {
    const line = JSON.stringify(make.user('kept'))
    expect(await summaryOf(`${line}\n${JSON.stringify(title('half')).slice(0, -5)}`)).toBe('kept')
    expect(await summaryOf(`${line}\n${JSON.stringify(title('whole'))}`)).toBe('whole')
  })

  it('has nothing to say of a subagent, or of an empty, binary or silent file', async () => {
    expect(await infoOf([make.user('s', null, { isSidechain: true })])).toBeUndefined()
    expect(await infoOf('')).toBeUndefined()
    expect(await infoOf(Buffer.from([0, 1, 2, 255, 10, 0, 34]))).toBeUndefined()
    expect(await infoOf([make.assistant('only', null)])).toBeUndefined()
  })

  it('says whether a session is archived', async () => {
    const note = (archived: boolean, at: string) => ({ 'archived.json': JSON.stringify({ archived, at }) })
    expect((await infoOf([user('x')], note(true, '2099-01-01T00:00:00Z')))?.archived).toBe(true)
    expect((await infoOf([user('x')], note(false, '2099-01-01T00:00:00Z')))?.archived).toBe(false)
    expect((await infoOf([user('x')], note(true, '2020-01-01T00:00:00Z')))?.archived).toBe(false)
    expect(await infoOf([user('x')])).not.toHaveProperty('archived')
  })

  it('knows no session that is not there, and refuses what is no UUID', async () => {
    const { configDir } = transcripts
    expect(await getSessionInfo('00000000-0000-4000-8000-000000000000', { configDir })).toBeUndefined()
    for (const id of ['', 'x', '../../etc/passwd', '00000000-0000-4000-8000-000000000000/../x']) {
      await expect(getSessionInfo(id, { configDir })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    }
  })
})
