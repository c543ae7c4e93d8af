/** Starts a process that leaves the process group and ignores all, then is an ordinary server. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
child.unref()
writeFileSync(process.argv[3], String(child.pid))
await import('./plain-server.mjs')
