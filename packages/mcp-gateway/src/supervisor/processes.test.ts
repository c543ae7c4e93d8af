import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isLiving } from '@dorkos/processes'
import { build } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  call,
  type GatewayFixture,
  gatewayFixture,
  plainEntry,
  stdioEntry,
  supportFile,
  textOf,
} from '../../test/support/gateway-fixture.ts'
import { markVariable } from '../upstream/stdio-transport.ts'

let fixture: GatewayFixture
beforeEach(() => {
  fixture = gatewayFixture()
})
afterEach(() => fixture.end())

/** The server as a grandchild, below a wrapper that does not take it along. */
function wrapped(server: Record<string, unknown> = {}) {
  const inner = [process.execPath, supportFile('plain-server.mjs'), JSON.stringify(server)]
  return stdioEntry('/bin/sh', [supportFile('wrapper.sh'), ...inner], { sharing: 'shared' })
}

describe('the environment of a server', () => {
  it('is what the entry says, and a mark', async () => {
    const hold = fixture.supervisor().hold(plainEntry({ env: { OWN: 'mine' } }), { id: 'a' })
    expect(await textOf(call(hold, 'env', { name: 'OWN' }))).toBe('mine')
    const value = await textOf(call(hold, 'env', { name: markVariable }))
    expect(value).toMatch(new RegExp(`^${fixture.mark}:${process.pid}:\\d+:\\d+$`))
    const names = readFileSync(`/proc/${hold.status().pids[0]}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0])
    expect(names.filter((name) => name !== '').sort()).toEqual([markVariable, 'OWN', 'PATH'])
  })
})

describe('what a server started', () => {
  it('is gone with it, below a wrapper too', async () => {
    const supervisor = fixture.supervisor()
    const hold = supervisor.hold(wrapped(), { id: 'a' })
    const server = Number(await textOf(call(hold, 'pid')))
    const [wrapper = 0] = hold.status().pids
    expect(server).not.toBe(wrapper)
    hold.release()
    await supervisor.close()
    expect([wrapper, server].filter(isLiving)).toEqual([])
  })

  it('is gone also when it ignores all that is said to it', async () => {
    const supervisor = fixture.supervisor()
    const hold = supervisor.hold(wrapped({ ignoreEnd: true }), { id: 'a' })
    const server = Number(await textOf(call(hold, 'pid')))
    await supervisor.close()
    expect(isLiving(server)).toBe(false)
  })

  it('is gone when the wrapper dies, before the next is started', async () => {
    const countFile = `${fixture.dir}/starts`
    const hold = fixture.supervisor().hold(wrapped({ countFile, ignoreEnd: true }), { id: 'a' })
    const first = Number(await textOf(call(hold, 'pid')))
    process.kill(hold.status().pids[0] ?? 0, 'SIGKILL')
    await expect.poll(() => fixture.starts(countFile).length, { timeout: 50_000 }).toBe(2)
    expect(isLiving(first)).toBe(false)
  })

  it('is gone also when it has left the process group', async () => {
    const supervisor = fixture.supervisor()
    const file = `${fixture.dir}/escaped`
    const hold = supervisor.hold(
      stdioEntry(process.execPath, [supportFile('escaping-server.mjs'), '{}', file]),
      { id: 'a' },
    )
    await textOf(call(hold, 'pid'))
    const escaped = Number(readFileSync(file, 'utf8'))
    expect(isLiving(escaped)).toBe(true)
    await supervisor.close()
    expect(isLiving(escaped)).toBe(false)
  })
})

describe('when our own program ends', () => {
  const owners: ChildProcess[] = []
  const folder = mkdtempSync(join(tmpdir(), 'mcp-owner-'))
  const program = join(folder, 'owner.mjs')
  beforeAll(async () => {
    const output = { file: program, format: 'esm', codeSplitting: false } as const
    await build({ input: supportFile('owner.ts'), platform: 'node', output })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(() => {
    for (const owner of owners.splice(0)) owner.kill('SIGKILL')
  })

  /** Resolves with the server's processes once the owner holds it. */
  async function startOwner(end: string): Promise<{ owner: ChildProcess; pids: number[] }> {
    const job = JSON.stringify({ mark: fixture.mark, entry: wrapped({ ignoreEnd: true }), end })
    const owner = spawn(process.execPath, [program, job], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    owners.push(owner)
    const [line] = (await once(createInterface({ input: owner.stdout! }), 'line')) as [string]
    return { owner, pids: JSON.parse(line) as number[] }
  }

  it.each(['exit', 'throw'])('by itself (%s), its servers end with it', async (end) => {
    const { owner, pids } = await startOwner(end)
    if (owner.exitCode === null) await once(owner, 'exit')
    expect(pids).toHaveLength(2)
    await expect.poll(() => pids.filter(isLiving)).toEqual([])
    expect(await fixture.supervisor().sweep()).toBe(0)
  })

  it('by a kill, the next one sweeps up, and only what has no owner', async () => {
    const mine = fixture.supervisor().hold(plainEntry(), { id: 'a' })
    const kept = Number(await textOf(call(mine, 'pid')))
    const { owner, pids } = await startOwner('never')
    expect(await fixture.supervisor().sweep()).toBe(0)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(pids.filter(isLiving)).toEqual(pids)
    expect(await fixture.supervisor({ mark: 'another' }).sweep()).toBe(0)
    expect(await fixture.supervisor().sweep()).toBe(pids.length)
    expect(pids.filter(isLiving)).toEqual([])
    expect(isLiving(kept)).toBe(true)
  })
})
