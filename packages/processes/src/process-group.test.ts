import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { ProcessGroup } from './process-group.ts'
import { groupMembers } from './process-table.ts'
import { terminate } from './terminate.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const { pid } of children.splice(0)) {
    try {
      process.kill(-pid!, 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  }
})

async function start(script: string): Promise<{ child: ChildProcess; group: ProcessGroup }> {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  children.push(child)
  await once(child.stdout!, 'data')
  return { child, group: new ProcessGroup(child.pid!) }
}

it('has members until the last of them has ended', async () => {
  const { child, group } = await start('/bin/sleep 60 & echo; read line')
  expect([group.hasMembers(), group.leaderEnded()]).toEqual([true, false])
  child.stdin!.end()
  await once(child, 'exit')
  expect([group.hasMembers(), group.leaderEnded()]).toEqual([true, true])
  expect(group.signal('SIGTERM')).toBe(true)
  expect(await group.endsWithin(10_000)).toBe(true)
  expect(group.signal('SIGTERM')).toBe(false)
})

it.runIf(process.platform === 'linux')('is not the group of a stranger who got its id', async () => {
  const { child } = await start('echo; read line')
  const ours = new ProcessGroup(child.pid!, '1')
  expect([ours.signal('SIGKILL'), ours.hasMembers(), ours.leaderEnded()]).toEqual([false, false, true])
  expect(groupMembers(child.pid!)).toEqual([child.pid])
})

it('is given time to end by itself, then told, then made to', async () => {
  const patient = await start('trap "echo told; exit" TERM; echo; read line; exit 3')
  patient.child.stdin!.end()
  const [code] = (
    await Promise.all([once(patient.child, 'exit'), terminate(patient.group, { graceMs: 10_000 })])
  )[0]
  expect(code).toBe(3)

  const polite = await start('trap "exit 4" TERM; echo; while :; do sleep 0.05; done')
  expect((await Promise.all([once(polite.child, 'exit'), terminate(polite.group)]))[0]).toEqual([4, null])

  const deaf = await start('trap "" TERM; echo; while :; do sleep 0.05; done')
  const ends = await Promise.all([once(deaf.child, 'exit'), terminate(deaf.group, { killMs: 0 })])
  expect(ends).toEqual([[null, 'SIGKILL'], true])
})
