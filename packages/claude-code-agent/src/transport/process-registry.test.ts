import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProcessGroup, readProcess } from '@dorkos/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultRegistryDir, markerVariable, registerChild, sweepOrphans } from './process-registry.ts'

let dir: string
let children: ChildProcess[] = []
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'registry-')), 'folder')
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  rmSync(join(dir, '..'), { recursive: true, force: true })
})

async function sleeper(marker = 'm'): Promise<ChildProcess & { pid: number }> {
  const env = { [markerVariable]: marker }
  const child = spawn('/bin/sleep', ['60'], { detached: true, stdio: 'ignore', env })
  children.push(child)
  await new Promise((resolve) => child.once('spawn', resolve))
  return child as ChildProcess & { pid: number }
}

function recordFile(): string {
  return join(dir, readdirSync(dir)[0]!)
}

/** Makes the one record say that its owner is dead. */
function orphan(change: Record<string, unknown> = {}): void {
  const record = JSON.parse(readFileSync(recordFile(), 'utf8'))
  writeFileSync(recordFile(), JSON.stringify({ ...record, ownerStartTime: '1', ...change }))
}

const isUp = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

describe.runIf(process.platform === 'linux')('the registry', () => {
  it('keeps one private file per child, until it is unregistered', async () => {
    const child = await sleeper()
    const unregister = registerChild(dir, new ProcessGroup(child.pid), 'm')
    expect(JSON.parse(readFileSync(recordFile(), 'utf8'))).toMatchObject({
      ownerPid: process.pid,
      childPid: child.pid,
      childStartTime: readProcess(child.pid)?.startTime,
    })
    unregister()
    expect(readdirSync(dir)).toEqual([])
    unregister()
  })

  it('ends the group of a dead owner', async () => {
    const child = await sleeper()
    registerChild(dir, new ProcessGroup(child.pid), 'm')
    orphan()
    const gone = ended(child)
    expect(await sweepOrphans(dir)).toEqual([{ pid: child.pid, ended: true }])
    await gone
    expect(child.signalCode).toBe('SIGTERM')
    expect(readdirSync(dir)).toEqual([])
  })

  it('leaves the child of a living owner', async () => {
    const child = await sleeper()
    registerChild(dir, new ProcessGroup(child.pid), 'm')
    expect(await sweepOrphans(dir)).toEqual([])
    expect(isUp(child)).toBe(true)
    expect(readdirSync(dir)).toHaveLength(1)
  })

  it('never signals a process that only has the same id', async () => {
    const child = await sleeper()
    registerChild(dir, new ProcessGroup(child.pid), 'm')
    orphan({ childStartTime: '1' })
    expect(await sweepOrphans(dir)).toEqual([])
    expect(isUp(child)).toBe(true)
    expect(readdirSync(dir)).toEqual([])
  })

  it('leaves records of another boot or container, until they are old', async () => {
    const child = await sleeper()
    registerChild(dir, new ProcessGroup(child.pid), 'm')
    orphan({ world: 'another' })
    expect(await sweepOrphans(dir)).toEqual([])
    expect(readdirSync(dir)).toHaveLength(1)
    utimesSync(recordFile(), 0, 0)
    expect(await sweepOrphans(dir)).toEqual([])
    expect(readdirSync(dir)).toEqual([])
    expect(isUp(child)).toBe(true)
  })

  it.each(['', '{', '[]', '{"childPid":1}', '{"world":1}'])('survives a record that is %j', async (text) => {
    mkdirSync(dir, { mode: 0o700 })
    writeFileSync(join(dir, '5-5.json'), text)
    expect(await sweepOrphans(dir)).toEqual([])
  })

  it.each([0, 1, -1, 1.5, '77'])('never signals a "group" of id %j', async (childPid) => {
    const child = await sleeper()
    registerChild(dir, new ProcessGroup(child.pid), 'm')
    orphan({ childPid })
    expect(await sweepOrphans(dir)).toEqual([])
    expect(isUp(child)).toBe(true)
  })

  it('trusts no folder that others can write to', async () => {
    mkdirSync(dir)
    chmodSync(dir, 0o777)
    const child = await sleeper()
    registerChild(dir, new ProcessGroup(child.pid), 'm')
    expect(readdirSync(dir)).toEqual([])
  })

  it('does without a folder that cannot be made', async () => {
    writeFileSync(dir, 'a file')
    const child = await sleeper()
    registerChild(dir, new ProcessGroup(child.pid), 'm')()
    expect(await sweepOrphans(dir)).toEqual([])
  })
})

describe('the default folder', () => {
  it('is in the runtime folder of the user, or else named by the user', () => {
    expect(defaultRegistryDir({ XDG_RUNTIME_DIR: '/run/user/7' })).toBe('/run/user/7/claude-code-agent')
    expect(defaultRegistryDir({})).toBe(join(tmpdir(), `claude-code-agent-${process.getuid?.()}`))
  })
})
