import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../core/app-error.ts'
import { openCodeSocket } from './code-socket.ts'

let folder: string
let path: string
let asked: string[]
let close: () => Promise<void>
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const made = { code: 'c', expires_at: '2025-06-02T00:00:00.000Z' }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dorkos-socket-'))
  path = join(folder, 'code.sock')
  asked = []
  // What a server left that was killed.
  writeFileSync(path, '')
  const answer = async (form: string) => {
    asked.push(form)
    if (asked.length > 2) throw new AppError('forbidden', say('cli_words', { text: 'No.' }))
    return made
  }
  close = (await openCodeSocket({ path, answer, logger })).close
})
afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

/** What is answered until the server ends the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    const socket = connect(path, () => socket.write(text))
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(said))
  })
}

describe('the socket for codes', () => {
  it('is the owner’s alone, and goes with the server', async () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await close()
    expect(existsSync(path)).toBe(false)
  })

  it('gives a code for each request, one for a connection, and passes a refusal on', async () => {
    expect(JSON.parse(await send('{"form":"link"}\n{"form":"link"}\n'))).toEqual(made)
    expect(JSON.parse(await send('{"form":"typed"}\n'))).toEqual(made)
    expect(JSON.parse(await send('{"form":"typed"}\n'))).toEqual({ error: 'No.' })
    expect(asked).toEqual(['link', 'typed', 'typed'])
  })

  it('gives none for anything else', async () => {
    for (const text of [
      '\n',
      'null\n',
      '{}\n',
      '{"form":"other"}\n',
      '{"form":"link","x":1}\n',
      'GET / HTTP/1.1\n',
    ])
      expect(JSON.parse(await send(text))).toEqual({ error: 'DorkOS doesn’t understand this request.' })
    expect(await send('x'.repeat(100_000))).toBe('')
    expect(asked).toEqual([])
  })
})
