import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { positionOf } from '@dorkos/shared'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../core/app-error.ts'
import {
  acquire,
  append,
  brief,
  createManualClock,
  newApproval,
  newSessionId,
  newTurn,
} from '../../core/ports/fixtures.conformance.ts'
import { checkSqliteFile, openSqliteStore } from './open-sqlite-store.ts'
import { openTestStore, silentLogger } from './test-store.conformance.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dorkos-open-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const open = (path: string) => openSqliteStore({ path, clock: createManualClock(), logger: silentLogger })
const newPath = () => join(folder, `${randomUUID()}.db`)

describe('opening', () => {
  it('makes files that only their owner can read', async () => {
    const test = await openTestStore()
    await acquire(test.store.coordination, newSessionId())
    for (const file of [test.path, `${test.path}-wal`, `${test.path}-shm`])
      expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(test.path, '..'))).mode & 0o777).toBe(0o700)
    await test.close()
  })

  it('refuses a damaged file with what to do, and leaves it as it is', async () => {
    const path = newPath()
    await writeFile(path, 'this is no database '.repeat(500))
    const fault = await open(path).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(AppError)
    expect(fault).toMatchObject({ code: 'internal', message: expect.stringContaining(path) })
    expect(fault).toMatchObject({ message: expect.stringContaining('dorkos doctor') })
    expect(await readFile(path, 'utf8')).toBe('this is no database '.repeat(500))
    await expect(checkSqliteFile(path)).rejects.toMatchObject({ message: expect.stringContaining('damaged') })
  })

  it('refuses a database of another program, and leaves it as it is', async () => {
    const path = newPath()
    const database = new Database(path)
    database.exec('CREATE TABLE other (a)')
    database.close()
    const before = await readFile(path)
    await expect(open(path)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('another program’s database'),
    })
    expect(await readFile(path)).toEqual(before)
  })

  it('refuses a file of a newer version', async () => {
    const path = newPath()
    await (await open(path)).close()
    const database = new Database(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(open(path)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('newer DorkOS (schema 99'),
    })
  })

  it('refuses a path that cannot be', async () => {
    const file = newPath()
    await writeFile(file, '')
    await expect(open(join(file, 'dorkos.db'))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(open(folder)).rejects.toMatchObject({ code: 'unavailable' })
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })
})

describe('writing', () => {
  it('undoes one of several writes that share a commit, and keeps the others', async () => {
    const test = await openTestStore()
    const { turns } = test.store.coordination
    const turn = newTurn(newSessionId(), 'one')
    const results = await Promise.allSettled([
      turns.admit(turn),
      turns.admit(turn),
      turns.admit(newTurn(turn.sessionId, 'two')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await turns.queued(turn.sessionId)).toHaveLength(2)
    await test.close()
  })

  it('refuses what is no data, and nothing beside it', async () => {
    const test = await openTestStore()
    const { approvals } = test.store.coordination
    const grant = await acquire(test.store.coordination, newSessionId())
    const [good, bad] = [
      newApproval(grant.sessionId),
      newApproval(grant.sessionId, { input: { call: () => 1 } }),
    ]
    const results = await Promise.allSettled([approvals.open(good, 1), approvals.open(bad, 1)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect(approvals.open(bad, 1)).rejects.toMatchObject({ code: 'internal' })
    expect(await approvals.get(good.id)).toEqual(good)
    await test.close()
  })

  it('finishes what was asked before it closes, and refuses what is asked after', async () => {
    const test = await openTestStore()
    const { coordination } = test.store
    const grant = await acquire(coordination, newSessionId())
    const writes = Array.from({ length: 3000 }, (_, index) => append(coordination, grant, index + 2, ['x']))
    const [results] = await Promise.all([Promise.all(writes), test.store.close()])
    expect(results).toHaveLength(3000)
    await expect(append(coordination, grant, 3002, ['x'])).rejects.toMatchObject({ code: 'unavailable' })
    await test.store.close()
    const again = (await test.reopen()).coordination
    expect(await again.events.end(grant.sessionId)).toEqual({ epoch: 1, seq: 3001 })
    await test.close()
  })

  it('gives up on a file that another process keeps locked, while the main thread goes on', async () => {
    const test = await openTestStore()
    const other = new Database(test.path)
    other.exec('BEGIN IMMEDIATE')
    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    const turn = newTurn(newSessionId(), 'hello')
    await expect(test.store.coordination.turns.admit(turn)).rejects.toMatchObject({ code: 'unavailable' })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
    other.exec('ROLLBACK')
    other.close()
    await test.store.coordination.turns.admit(turn)
    await test.close()
  })

  it('never gives out an event id again that a power cut took', async () => {
    const test = await openTestStore()
    const { coordination } = test.store
    const grant = await acquire(coordination, newSessionId())
    const saved = join(test.folder, 'saved')
    // What is on the disk for sure: the state after the last commit that waited for it.
    for (const end of ['', '-wal']) await copyFile(`${test.path}${end}`, `${saved}${end}`)
    const lost = await append(coordination, grant, 2, ['a', 'b', 'c'])
    await test.store.close()
    for (const end of ['', '-wal']) await copyFile(`${saved}${end}`, `${test.path}${end}`)
    const again = (await test.reopen()).coordination
    expect(await again.events.end(grant.sessionId)).toEqual({ epoch: 1, seq: 1 })
    const [next] = await append(again, await acquire(again, grant.sessionId), 2, ['d'])
    expect(next?.id).toBe('2-2')
    for (const { id } of lost)
      expect(await again.events.continues(grant.sessionId, positionOf({ id }))).toBe(false)
    await test.close()
  })
})

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('a full disk', () => {
  it.skipIf(!hasPrlimit())('refuses writes, keeps what there is, and works again with space', async () => {
    const program = fileURLToPath(new URL('./test-programs/full-disk.mjs', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program, newPath()])
    const result = JSON.parse(stdout)
    const full = { name: 'AppError', code: 'storage_full' }
    expect(result.eventFault).toMatchObject(full)
    expect(result.eventFault.message).toContain('Free up space')
    expect(result.turnFault).toMatchObject(full)
    // Seq 1 is the lease's; the one after the last that was accepted comes when there is space.
    expect(result.read).toBe(result.seq - 2)
    expect(result.after).toBe(result.seq - 1)
    expect(result.read).toBeGreaterThan(2)
    expect(result.faults).toEqual([])
  })
})

describe('backup', () => {
  it('is a whole store of its own, made while the other works on', async () => {
    const test = await openTestStore()
    const { coordination, records } = test.store
    const grant = await acquire(coordination, newSessionId())
    await append(coordination, grant, 2, ['a'])
    await records.setValue('key', 'value')
    const path = newPath()
    await test.store.backup(path)
    await append(coordination, grant, 3, ['after'])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(test.store.backup(path)).rejects.toMatchObject({ code: 'conflict' })
    const copy = await open(path)
    expect(brief(await copy.coordination.events.readSession(grant.sessionId, undefined, 10))).toEqual([
      '1-1',
      '1-2 a',
    ])
    expect(await copy.records.getValue('key')).toBe('value')
    expect(await copy.integrityCheck()).toEqual([])
    // Event ids that were given out after the copy was made mean nothing in it.
    expect(copy.coordination.events.id).not.toBe(coordination.events.id)
    await copy.close()
    await test.close()
  })
})
