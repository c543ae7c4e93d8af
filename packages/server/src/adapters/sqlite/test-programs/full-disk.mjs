// Writes until the disk is full (a limit on the size of files stands for it), then again when there is space.
import { execFileSync } from 'node:child_process'
import { openSqliteStore } from '../../../../dist/adapters/sqlite/open-sqlite-store.js'

const [path = ''] = process.argv.slice(2)
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: Date.now, monotonic: () => performance.now(), after: () => () => undefined }
const store = await openSqliteStore({ path, clock, logger })
const { events, leases, turns } = store.coordination
const sessionId = '00000000-0000-4000-8000-000000000001'
const grant = await leases.acquire(sessionId, 'owner', 60_000, 'test')
const limit = (bytes) => execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:unlimited`])
const time = new Date().toISOString()

let seq = 2
let admitted = 0
const append = async () => {
  const event = { type: 'text_delta', message_id: 'm', index: 0, text: 'x'.repeat(3000) }
  const [result] = await events.append([{ ...grant, firstSeq: seq, events: [{ time, event }] }])
  if (result.status === 'rejected') throw result.reason
  seq += 1
}
const admit = async () => {
  const id = `00000000-0000-4000-8000-${String(admitted).padStart(12, '0')}`
  await turns.admit({ id, sessionId, cause: 'message', content: 'x', principal: 'owner', createdAt: time })
  admitted += 1
}
const fault = (write) =>
  write().then(
    () => undefined,
    (error) => ({ name: error.name, code: error.code, message: error.message }),
  )

limit(400_000)
let eventFault
for (let count = 0; count < 500 && !eventFault; count++) eventFault = await fault(append)
let turnFault
for (let count = 0; count < 500 && !turnFault; count++) turnFault = await fault(admit)
const read = await events.readSession(sessionId, undefined, 1000)
limit('unlimited')
await append()
await admit()
const after = await events.readSession(sessionId, undefined, 1000)
const faults = await store.integrityCheck()
await store.close()
const result = { eventFault, turnFault, read: read.length, after: after.length, seq, faults, turns: admitted }
process.stdout.write(JSON.stringify(result))
