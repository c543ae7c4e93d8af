import { expect, it } from 'vitest'
import { savedOutput, savedPicture } from './saved-output.ts'

const sessionId = '57313066-2de7-4d04-86a1-a8d9200970a3'
const folder = `/home/me/.claude/projects/-p/${sessionId}/tool-results`
const persisted = (head: string) =>
  `<persisted-output>\n${head}\n\nPreview (first 2KB):\n1\n2\n...\n</persisted-output>`

it('finds a command’s output, with its size', () => {
  const content = persisted(`Output too large (39.1KB). Full output saved to: ${folder}/b18m83bt6.txt`)
  const detail = { persistedOutputPath: `${folder}/b18m83bt6.txt`, persistedOutputSize: 40_000 }
  const found = { sessionId, name: 'b18m83bt6.txt', isCut: false }
  expect(savedOutput(content, detail)).toEqual({ ...found, bytes: 40_000 })
  // A subagent's entry has no more than the words.
  expect(savedOutput([{ type: 'text', text: content }], undefined)).toEqual({ ...found, bytes: 40_038 })
})

it('knows that only a beginning was kept', () => {
  const head = `Output exceeded the 64MB persist limit; only the first 64MB were saved to: ${folder}/bh4.txt`
  expect(savedOutput(persisted(head), undefined)).toEqual({
    sessionId,
    name: 'bh4.txt',
    bytes: 64 * 1024 * 1024,
    isCut: true,
  })
})

it('finds the output of an MCP server', () => {
  const words = `Error: result (200,000 characters across 25,000 lines) exceeds maximum allowed tokens. Output has been saved to ${folder}/mcp-s-give-17.txt.\nFormat: Plain text\n`
  expect(savedOutput(words, words)).toEqual({
    sessionId,
    name: 'mcp-s-give-17.txt',
    bytes: 200_000,
    isCut: false,
  })
})

it('finds the original of a picture', () => {
  const note = (text: string) => savedPicture({ type: 'text', text })
  expect(note(`[Image: source: ${folder}/mcp-s-blob-1-x.png]`)).toEqual({
    sessionId,
    name: 'mcp-s-blob-1-x.png',
  })
  expect(note(`see [Image: source: ${folder}/mcp-s-blob-1-x.png]`)).toBeUndefined()
})

it.each([
  ['a path that leads up', `${folder}/../../../../.ssh/id_rsa`],
  ['a path to elsewhere', '/etc/passwd'],
  ['no session’s folder', '/home/me/tool-results/a.txt'],
  ['a name that is a way up', `${folder}/..`],
  ['a hidden file', `${folder}/.env`],
])('takes nothing from %s', (_what, path) => {
  expect(
    savedOutput(persisted(`Output too large (1KB). Full output saved to: ${path}`), undefined),
  ).toBeUndefined()
  expect(savedPicture({ type: 'text', text: `[Image: source: ${path}]` })).toBeUndefined()
})

it('takes only a session and a name from a path', () => {
  const path = `/etc/../proc/self/${sessionId}/tool-results/environ`
  const found = savedOutput(persisted(`Output too large (1KB). Full output saved to: ${path}`), undefined)
  expect(found).toMatchObject({ sessionId, name: 'environ' })
})

it('leaves alone what only mentions such a file, or is more than a note', () => {
  const note = persisted(`Output too large (1KB). Full output saved to: ${folder}/a.txt`)
  expect(savedOutput(`The log says:\n${note}`, undefined)).toBeUndefined()
  expect(
    savedOutput(
      [
        { type: 'text', text: note },
        { type: 'text', text: 'more' },
      ],
      undefined,
    ),
  ).toBeUndefined()
  for (const other of [undefined, null, 7, [], [null], { type: 'text' }])
    expect(savedOutput(other, other)).toBeUndefined()
})
