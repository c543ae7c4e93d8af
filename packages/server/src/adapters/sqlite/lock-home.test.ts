import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockHome } from './lock-home.ts'

let folder: string
let home: string
let holder: ChildProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dorkos-lock-'))
  home = join(folder, 'home')
})
afterEach(async () => {
  if (holder && holder.exitCode === null && holder.signalCode === null) {
    holder.kill('SIGKILL')
    await once(holder, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

async function holdElsewhere(): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./test-programs/hold-lock.mjs', import.meta.url))
  holder = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (holder.stdout) await once(holder.stdout, 'data')
  return holder
}

it('is had by one at a time, in one process too', async () => {
  const lock = await lockHome(home)
  await expect(lockHome(home)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await expect(lockHome(home)).rejects.toMatchObject({ code: 'conflict', details: { pid: process.pid } })
  await lock.release()
  await lock.release()
  await (await lockHome(home)).release()
})

it('names the process that has it, and is free when that one was killed', async () => {
  const other = await holdElsewhere()
  await expect(lockHome(home)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      new RegExp(`home is in use by another server \\(process ${other.pid}\\)\\. Stop it`),
    ),
  })
  other.kill('SIGKILL')
  await once(other, 'exit')
  await (await lockHome(home)).release()
})

it('keeps out another process', async () => {
  const lock = await lockHome(home)
  const program = fileURLToPath(new URL('./test-programs/hold-lock.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [code] = await once(child, 'exit')
  expect(code).not.toBe(0)
  await lock.release()
  await holdElsewhere()
  await expect(lockHome(home)).rejects.toMatchObject({ code: 'conflict' })
})

it('makes a folder that only its owner can read', async () => {
  const lock = await lockHome(home)
  expect((await stat(home)).mode & 0o777).toBe(0o700)
  for (const file of ['lock.db', 'lock.pid']) expect((await stat(join(home, file))).mode & 0o777).toBe(0o600)
  await lock.release()
})
