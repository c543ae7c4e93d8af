import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  allProcesses,
  groupMembers,
  isLiving,
  isSameProcess,
  readProcess,
  readVariable,
} from './process-table.ts'

const children: ChildProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'process-table-'))
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

async function start(command: string, args: string[], env = {}): Promise<number> {
  const child = spawn(command, args, { detached: true, stdio: 'ignore', env })
  children.push(child)
  await once(child, 'spawn')
  return child.pid!
}

describe('a process', () => {
  it('is the same by id and start time, until it has ended', async () => {
    const startTime = readProcess(process.pid)?.startTime
    expect(isSameProcess(process.pid, startTime)).toBe(true)
    const pid = await start('/bin/sleep', ['60'])
    const started = readProcess(pid)?.startTime
    children[0]!.kill('SIGKILL')
    await once(children[0]!, 'exit')
    expect([isLiving(pid), isSameProcess(pid, started)]).toEqual([false, false])
  })
})

describe.runIf(process.platform === 'linux')('what Linux reports', () => {
  it('names a process by its start time too', () => {
    expect(isSameProcess(process.pid, '1')).toBe(false)
    expect(isSameProcess(process.pid, undefined)).toBe(false)
  })

  it('is read right whatever the name of the program', async () => {
    const program = join(folder, 'a) Z 1 (b')
    copyFileSync('/bin/sleep', program)
    const pid = await start(program, ['60'])
    expect(readProcess(pid)).toMatchObject({ isLiving: true, group: pid })
  })

  it('has variables, members of groups, and zombies that do not live', async () => {
    // The shell becomes a program that does not collect its child.
    const pid = await start('/bin/sh', ['-c', '/bin/sleep 0 & exec /bin/sleep 60'], { WHOSE: 'ours', A: '' })
    const inGroup = () => allProcesses().filter((each) => readProcess(each)?.group === pid)
    await expect.poll(() => inGroup().filter((each) => !isLiving(each))).toHaveLength(1)
    expect(inGroup()).toHaveLength(2)
    expect(groupMembers(pid)).toEqual([pid])
    expect([await readVariable(pid, 'WHOSE'), await readVariable(pid, 'WHO')]).toEqual(['ours', undefined])
  })
})
