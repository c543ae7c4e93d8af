// Writes events and messages as fast as it can, and says on stdout what was acknowledged, until it is killed.
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../../../dist/adapters/sqlite/open-sqlite-store.js'

const [path = '', sessionId = ''] = process.argv.slice(2)
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: Date.now, monotonic: () => performance.now(), after: () => () => undefined }
const { coordination } = await openSqliteStore({ path, clock, logger })
const { events, leases, turns } = coordination
await leases.inherit('writer')
const grant = await leases.acquire(sessionId, `writer-${process.pid}`, 60_000, 'crash test')
const time = () => new Date().toISOString()
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`)
say({ epoch: grant.epoch })

async function writeEvents() {
  let seq = 2
  for (;;) {
    const calls = []
    for (let call = 0; call < 5; call++) {
      const count = 1 + Math.floor(Math.random() * 20)
      const batch = Array.from({ length: count }, (_, index) => ({
        time: time(),
        event: { type: 'text_delta', message_id: 'm', index: 0, text: `${seq + index}` },
      }))
      const last = seq + count - 1
      calls.push(
        events.append([{ ...grant, firstSeq: seq, events: batch }]).then(([result]) => {
          if (result.status === 'rejected') throw result.reason
          say({ seq: last })
        }),
      )
      seq += count
    }
    await Promise.all(calls)
  }
}

async function writeTurns() {
  for (;;) {
    const id = randomUUID()
    const turn = {
      id,
      sessionId,
      cause: 'message',
      content: 'x'.repeat(5000),
      principal: 'owner',
      createdAt: time(),
    }
    await turns.admit(turn)
    say({ turn: id })
  }
}

await Promise.all([writeEvents(), writeTurns(), writeTurns()])
