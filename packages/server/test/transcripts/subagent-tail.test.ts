/** The files of subagents: only theirs, and only their ends. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { TranscriptFiles } from './transcript-files.ts'

const line = (text: string) => `${JSON.stringify({ type: 'assistant', message: { content: text } })}\n`
const note = (bytes: number) => `${JSON.stringify({ type: 'api-request-blob', x: 'x'.repeat(bytes) })}\n`

function subagents(files: TranscriptFiles, sessionId: string): string {
  const folder = join(dirname(files.path(sessionId)), sessionId, 'subagents')
  mkdirSync(folder, { recursive: true })
  return folder
}

it('gives the newest words, without half lines and notes', async () => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(line('main'))
  const folder = subagents(files, sessionId)
  const words = Array.from({ length: 5 }, (_, index) => line(`word ${index}`)).join('')
  const junk = `${note(10)}not json\n[]\nnull\n{"type":"system"}\n`
  writeFileSync(join(folder, 'agent-a1.jsonl'), `${words}${junk}${line('last')}${line('half').slice(0, 20)}`)
  const reader = await files.open()
  const said = async (agentId: string, limit = 10) =>
    (await reader.subagent(sessionId, agentId, limit)).map(({ entry }) => {
      const { content } = entry.message as { content: string }
      return content
    })
  expect(await said('a1')).toEqual([...Array.from({ length: 5 }, (_, index) => `word ${index}`), 'last'])
  expect(await said('a1', 2)).toEqual(['word 4', 'last'])
  // Of a long file, no more than its end is read.
  writeFileSync(join(folder, 'agent-a2.jsonl'), `${line('far')}${note(2_000_000)}${line('near')}`)
  expect(await said('a2')).toEqual(['near'])
  for (const none of ['a3', '', '../agent-a1', 'a1.jsonl', 'a'.repeat(65), 'a1\0'])
    expect(await said(none)).toEqual([])
})

it('follows no links, and reads nothing but files', async () => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(line('main'))
  const folder = subagents(files, sessionId)
  const secret = join(files.root, 'agent-secret.jsonl')
  writeFileSync(secret, line('secret'))
  symlinkSync(secret, join(folder, 'agent-a1.jsonl'))
  mkdirSync(join(folder, 'agent-a2.jsonl'))
  const reader = await files.open()
  for (const agentId of ['a1', 'a2']) expect(await reader.subagent(sessionId, agentId, 10)).toEqual([])
  rmSync(folder, { recursive: true })
  symlinkSync(files.root, folder)
  expect(await reader.subagent(sessionId, 'secret', 10)).toEqual([])
})
