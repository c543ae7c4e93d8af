import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { newSessionId } from '../../core/ports/fixtures.conformance.ts'
import { openTestStore } from './test-store.conformance.ts'

const runs = Number(process.env.DORKOS_CRASH_RUNS ?? 20)

interface Acknowledged {
  epoch: number
  seq: number
  turns: string[]
}

/** Lets the program write to the file, kills it at a random moment, and answers with what was acknowledged to it. */
async function writeAndKill(path: string, sessionId: string): Promise<Acknowledged> {
  const program = fileURLToPath(new URL('./test-programs/crash-writer.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, path, sessionId], { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledged: Acknowledged = { epoch: 0, seq: 1, turns: [] }
  const lines = createInterface({ input: child.stdout })
  const closed = once(lines, 'close')
  lines.on('line', (line) => {
    // The last line can be cut off.
    if (!line.endsWith('}')) return
    const { turn, ...reported } = JSON.parse(line) as Partial<Acknowledged> & { turn?: string }
    Object.assign(acknowledged, reported)
    if (turn !== undefined) acknowledged.turns.push(turn)
  })
  await once(lines, 'line')
  // The moment of the kill is what the test is about.
  await sleep(randomInt(250))
  child.kill('SIGKILL')
  await closed
  return acknowledged
}

/** Kills so many writers of one database, one after the other, and looks after each what is left of what was acknowledged. */
async function killWriters(times: number): Promise<{ turns: number; events: number }> {
  const test = await openTestStore()
  try {
    await test.store.close()
    const sessionId = newSessionId()
    const turns = new Set<string>()
    let events = 0
    for (let run = 0; run < times; run++) {
      const acknowledged = await writeAndKill(test.path, sessionId)
      for (const id of acknowledged.turns) turns.add(id)
      const { coordination, integrityCheck } = await test.reopen()
      expect(await integrityCheck()).toEqual([])
      const { epoch } = acknowledged
      expect(await coordination.leases.epochOf(sessionId)).toBe(epoch)
      const written = await coordination.events.readSession(sessionId, { epoch, seq: 0 }, 1_000_000)
      expect(written.map(({ id }) => id)).toEqual(written.map((_, index) => `${epoch}-${index + 1}`))
      expect(written.length).toBeGreaterThanOrEqual(acknowledged.seq)
      const stored = new Set((await coordination.turns.queued(sessionId)).map(({ id }) => id))
      expect([...turns].filter((id) => !stored.has(id))).toEqual([])
      events += written.length
      await test.store.close()
    }
    return { turns: turns.size, events }
  } finally {
    await test.close()
  }
}

it(`loses nothing that was acknowledged when killed, ${runs} times`, {
  timeout: 30_000 + runs * 5000,
}, async () => {
  // Side by side, since each waits for a process to start and for the disk.
  const databases = 4
  const done = await Promise.all(
    Array.from({ length: databases }, () => killWriters(Math.ceil(runs / databases))),
  )
  const sum = (figure: 'turns' | 'events') => done.reduce((total, one) => total + one[figure], 0)
  // Else nothing was tried.
  expect(sum('turns')).toBeGreaterThan(0)
  expect(sum('events')).toBeGreaterThan(runs * 2)
})
