import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLog } from './log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dorkos-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('the log', () => {
  it('is JSON lines without secrets, in the file and on the stream', () => {
    const alsoTo = new PassThrough()
    const log = openLog({ folder, level: 'info', alsoTo })
    log.info({ sessionId: 's1', header: `Bearer dork_${'a'.repeat(40)}` }, 'started')
    log.error({ err: new Error('it broke') }, 'fault')
    log.close()
    const text = readFileSync(log.file, 'utf8')
    // Chunk by chunk: newer Nodes give out one at a time.
    let streamed = ''
    for (let chunk = alsoTo.read(); chunk !== null; chunk = alsoTo.read()) streamed += chunk
    expect(streamed).toBe(text)
    expect(text).not.toContain('aaaa')
    expect(lines(log.file)).toMatchObject([
      { level: 30, sessionId: 's1', msg: 'started', time: expect.stringMatching(/^\d{4}-.*Z$/) },
      { level: 50, msg: 'fault', err: { message: 'it broke' } },
    ])
  })

  it('keeps to its level, which can change', () => {
    const log = openLog({ folder, level: 'warn' })
    log.info({}, 'unheard')
    log.setLevel('debug')
    log.debug({}, 'heard')
    log.close()
    expect(lines(log.file).map(({ msg }) => msg)).toEqual(['heard'])
  })

  it('is for its owner alone, also where the file was there before', () => {
    const inner = join(folder, 'logs')
    openLog({ folder: inner, level: 'info' }).close()
    const file = join(inner, 'dorkos.log')
    expect([modeOf(inner), modeOf(file)]).toEqual([0o700, 0o600])
    chmodSync(file, 0o644)
    openLog({ folder: inner, level: 'info' }).close()
    expect(modeOf(file)).toBe(0o600)
  })

  it('goes on after what is there, and begins another file when it has grown large', () => {
    writeFileSync(join(folder, 'dorkos.log'), '{"msg":"from before"}\n')
    const log = openLog({ folder, level: 'info', maxBytes: 1000 })
    for (let number = 0; number < 100; number++) log.info({ number }, 'x'.repeat(100))
    log.close()
    expect(readdirSync(folder).sort()).toEqual(['dorkos.log', 'dorkos.log.1', 'dorkos.log.2', 'dorkos.log.3'])
    const numbers = ['dorkos.log.3', 'dorkos.log.2', 'dorkos.log.1', 'dorkos.log'].flatMap((name) =>
      lines(join(folder, name)).map(({ number }) => number as number),
    )
    const first = numbers[0] ?? -1
    expect(numbers).toEqual(Array.from({ length: 100 - first }, (_, index) => first + index))
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThan(1300)
      expect(modeOf(join(folder, name))).toBe(0o600)
    }
  })

  it('a line after the end is nobody’s fault, and goes into no other file', () => {
    const log = openLog({ folder, level: 'info' })
    log.close()
    const other = openLog({ folder: join(folder, 'other'), level: 'info' })
    log.error({}, 'too late')
    log.close()
    other.info({}, 'in time')
    other.close()
    expect(readFileSync(log.file, 'utf8')).toBe('')
    expect(lines(other.file).map(({ msg }) => msg)).toEqual(['in time'])
  })

  it('does not throw where lines cannot be written, and goes on when they can', () => {
    const log = openLog({ folder, level: 'info', maxBytes: 10 })
    log.info({}, 'so large that the next line needs another file')
    rmSync(folder, { recursive: true })
    log.error({}, 'lost')
    openLog({ folder, level: 'info' }).close()
    log.info({}, 'found')
    log.close()
    expect(readdirSync(folder)).toEqual(['dorkos.log'])
    expect(lines(log.file).map(({ msg }) => msg)).toEqual(['found'])
  })
})
