#!/usr/bin/env node
/** The command itself: the process's own streams and signals, and nothing else. */
import { fileURLToPath } from 'node:url'
import type { StopSignal } from './context.ts'
import { openBrowser } from './open-browser.ts'
import { openTerminal } from './open-terminal.ts'
import { runCli } from './run-cli.ts'

// Whoever read the output has gone (`dorkos sessions list | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  openTerminal,
  openBrowser,
  script: fileURLToPath(import.meta.url),
  onStop(listener) {
    const signals: StopSignal[] = ['SIGINT', 'SIGTERM']
    const listeners = signals.map((signal) => ({ signal, listen: () => listener(signal) }))
    for (const { signal, listen } of listeners) process.on(signal, listen)
    return () => {
      for (const { signal, listen } of listeners) process.off(signal, listen)
    }
  },
})
// What was written to a pipe must arrive before the process ends.
await Promise.all(
  [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  ),
)
process.exit(exitCode)
