#!/usr/bin/env node
/** In the tree from the start: npm links the command when it installs, before anything is built. */
import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

// Nearly all that a starting server allocates stays, and V8 takes this as a reason to give what is new more room, again and again: 6 MB
// that a server at rest does not need. `commands/serve.ts` ends this when the server has started.
if (process.argv[2] === 'serve') setFlagsFromString('--semi-space-growth-factor=1')

const program = new URL('../dist/bundle/main.js', import.meta.url)
if (existsSync(program)) await import(program.href)
else {
  process.stderr.write('DorkOS is not built yet: `npm start` or `npm run build` does that.\n')
  process.exitCode = 1
}
