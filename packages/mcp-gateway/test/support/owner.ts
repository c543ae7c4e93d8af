/** A program that holds a server, names all its processes, and then ends as it is told: `exit` by itself, otherwise it waits to be killed. */

import type { ServerEntry } from '../../src/server-entry.ts'
import { createSupervisor } from '../../src/supervisor/supervisor.ts'
import { call, textOf } from './gateway-fixture.ts'

const { mark, entry, end } = JSON.parse(process.argv[2] ?? '') as {
  mark: string
  entry: ServerEntry
  end: string
}
const hold = createSupervisor({ mark }).hold(entry, { id: 'owner' })
// Behind a wrapper the server is a second process, which ends in its own time.
const server = Number(await textOf(call(hold, 'pid')))
process.stdout.write(`${JSON.stringify([...new Set([...hold.status().pids, server])])}\n`)
if (end === 'exit') process.exit(0)
if (end === 'throw') throw new Error('on purpose')
setInterval(() => {}, 1000)
