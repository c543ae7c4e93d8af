#!/usr/bin/env node
/** In the tree from the start: npm links the command when it installs, before anything is built. */
import { existsSync } from 'node:fs'

const program = new URL('../dist/bundle/main.js', import.meta.url)
if (existsSync(program)) await import(program.href)
else {
  process.stderr.write('DorkOS is not built yet: `npm start` or `npm run build` does that.\n')
  process.exitCode = 1
}
