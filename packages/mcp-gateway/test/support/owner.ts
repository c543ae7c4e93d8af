/** A program that holds a server, says so, and then ends as it is told: `exit` by itself, otherwise it waits to be killed. */

import type { ServerEntry } from '../../src/server-entry.ts'
import { createSupervisor } from '../../src/supervisor/supervisor.ts'

const { mark, entry, end } = JSON.parse(process.argv[2] ?? '') as {
  mark: string
  entry: ServerEntry
  end: string
}
const hold = createSupervisor({ mark }).hold(entry, { id: 'owner' })
await hold.request('ping', {})
process.stdout.write(`${JSON.stringify(hold.status().pids)}\n`)
if (end === 'exit') process.exit(0)
if (end === 'throw') throw new Error('on purpose')
setInterval(() => {}, 1000)
