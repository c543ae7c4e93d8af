// Locks a folder and says so, until it is killed.
import { lockHome } from '../../../../dist/adapters/sqlite/lock-home.js'

await lockHome(process.argv[2] ?? '')
process.stdout.write('locked\n')
setInterval(() => undefined, 60_000)
