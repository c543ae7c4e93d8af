// Installs and builds what is missing or out of date, for commands that run the compiled packages.
import './ensure-installed.mjs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-b'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
await import('./bundle.mjs')
