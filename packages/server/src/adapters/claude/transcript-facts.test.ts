import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TranscriptFacts } from './transcript-facts.ts'

let configDir: string
let facts: TranscriptFacts
const sessionId = randomUUID()

beforeEach(() => {
  configDir = mkdtempSync(join(tmpdir(), 'dorkos-facts-'))
  facts = new TranscriptFacts(configDir)
})
afterEach(() => rmSync(configDir, { recursive: true, force: true }))

function write(text: string): string {
  const folder = join(configDir, 'projects', '-p')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${sessionId}.jsonl`)
  writeFileSync(path, text)
  return path
}

function message(uuid: string, more: object = {}): string {
  const entry = {
    parentUuid: null,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: 'hi' },
    uuid,
  }
  return `${JSON.stringify({ ...entry, ...more })}\n`
}

it('has a transcript only where there is a conversation to resume', async () => {
  expect(await facts.exists(sessionId)).toBe(false)
  for (const nothing of [
    '',
    'junk\n',
    '{"type":"queue-operation","operation":"enqueue"}\n',
    message(randomUUID()).slice(0, 50),
  ]) {
    write(nothing)
    expect(await facts.exists(sessionId), nothing).toBe(false)
  }
  write(message(randomUUID()))
  expect(await facts.exists(sessionId)).toBe(true)
  for (const id of ['', '..', '../../x', `${sessionId}/..`, sessionId.slice(1)])
    expect(await facts.exists(id)).toBe(false)
})

it('finds messages of people by their ids, and nothing that merely looks like one', async () => {
  const [early, late, queued, torn, quoted, nested, answer] = Array.from({ length: 7 }, () => randomUUID())
  const attachment = { type: 'queued_command', prompt: 'hi', source_uuid: queued, commandMode: 'prompt' }
  write(
    message(early!) +
      'not json "uuid":"junk"\n' +
      // Longer than what is read at a time, and not of one byte a character.
      message(randomUUID(), { message: { role: 'user', content: 'ü🙂'.repeat(700_000) } }) +
      message(late!, {
        message: { role: 'user', content: [{ type: 'image', data: 'A'.repeat(3_000_000) }] },
      }) +
      message(randomUUID(), { type: 'attachment', attachment }) +
      message(randomUUID(), { message: { role: 'user', content: `"uuid":"${quoted}"` } }) +
      message(randomUUID(), { toolUseResult: { uuid: nested } }) +
      message(answer!, { type: 'assistant' }) +
      message(torn!).slice(0, -3),
  )
  const all = [early!, late!, queued!, torn!, quoted!, nested!, answer!, randomUUID(), 'no id', '']
  expect(await facts.recorded(sessionId, all)).toEqual(new Set([early, late, queued]))
  expect(await facts.recorded(sessionId, [early!])).toEqual(new Set([early]))
  expect(await facts.recorded(sessionId, [])).toEqual(new Set())
  expect(await facts.recorded(randomUUID(), [early!])).toEqual(new Set())
  expect(await facts.recorded('../x', [early!])).toEqual(new Set())
})

it('finds an id wherever the file is cut into pieces', async () => {
  const id = randomUUID()
  const line = message(id)
  const end = message(randomUUID())
  const chunk = 1024 * 1024
  for (let shift = 0; shift <= line.length; shift += 3) {
    const padding = chunk - end.length - shift
    write(`${line}${' '.repeat(padding - 1)}\n${end}`)
    expect([...(await facts.recorded(sessionId, [id]))], `${shift}`).toEqual([id])
  }
})

function procStart(pid: number): string {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function register(pid: number, more: object = {}): void {
  const folder = join(configDir, 'sessions')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ pid, sessionId, ...more }))
}

it.runIf(process.platform === 'linux')(
  'is in use where another process is registered that runs',
  async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(other, 'spawn')
    const pid = other.pid!
    register(pid, { procStart: procStart(pid) })
    expect(await facts.inUseElsewhere(sessionId, [])).toBe(true)
    expect(await facts.inUseElsewhere(sessionId, [pid])).toBe(false)
    expect(await facts.inUseElsewhere(randomUUID(), [])).toBe(false)

    // Its number belongs to another process now.
    register(pid, { procStart: String(Number(procStart(pid)) - 1) })
    expect(await facts.inUseElsewhere(sessionId, [])).toBe(false)

    register(pid, { procStart: procStart(pid) })
    other.kill('SIGKILL')
    await once(other, 'close')
    expect(await facts.inUseElsewhere(sessionId, [])).toBe(false)
  },
)

it('survives junk where CLIs register', async () => {
  const folder = join(configDir, 'sessions')
  mkdirSync(join(folder, '7.json'), { recursive: true })
  writeFileSync(join(folder, '1.json'), JSON.stringify({ pid: 1, sessionId }))
  writeFileSync(join(folder, '2.json'), 'junk')
  writeFileSync(join(folder, '3.json'), 'null')
  writeFileSync(join(folder, '4.json'), JSON.stringify({ pid: '../self', sessionId }))
  writeFileSync(join(folder, '5.json'), JSON.stringify({ pid: -1, sessionId }))
  writeFileSync(join(folder, '6.json'), `${' '.repeat(1_000_000)}{}`)
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ pid: process.pid, sessionId }))
  symlinkSync(join(folder, 'own.json'), join(folder, '8.json'))
  expect(await facts.inUseElsewhere(sessionId, [])).toBe(false)
})

it('goes by fresh writes where the CLI cannot tell, or runs in a container', async () => {
  const path = write(message(randomUUID()))
  expect(await facts.inUseElsewhere(sessionId, [])).toBe(true)
  utimesSync(path, new Date('2026-01-01'), new Date('2026-01-01'))
  expect(await facts.inUseElsewhere(sessionId, [])).toBe(false)

  register(process.pid, { pidDomain: 'linux:0123:pid:[1]' })
  expect(await facts.inUseElsewhere(sessionId, [])).toBe(false)
  write(message(randomUUID()))
  expect(await facts.inUseElsewhere(sessionId, [])).toBe(process.platform === 'linux')
})
