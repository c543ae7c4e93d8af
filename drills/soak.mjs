/**
 * Sessions come and go on MCP servers that stay: each run is one session start with ten calls. Memory, handles and processes after the first
 * part and at the end must be the same. Runs in a process of its own, so that nothing else is in the figures. With `--turns` one session has
 * so many turns instead (soak-turns.mjs).
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { soakTurns } from './soak-turns.mjs'

const program = fileURLToPath(new URL('soak-child.mjs', import.meta.url))

export function soak({ runs, turns, log }) {
  if (turns > 0) return soakTurns({ turns, log })
  return new Promise((resolve, reject) => {
    const child = fork(program, [String(runs)], { execArgv: ['--expose-gc'] })
    let result
    child.on('message', (message) => {
      if (message.log) log(message.log)
      else result = message
    })
    child.on('exit', (code) => {
      if (result) resolve(result)
      else reject(new Error(`the soak ended with ${code}`))
    })
  })
}
