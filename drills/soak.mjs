/**
 * Sessions come and go on MCP servers that stay: each run is one session start with ten calls. Memory, handles and processes after the first
 * part and at the end must be the same. With `--turns` one session of a whole server has so many turns, and its heap must not grow by more than
 * a kilobyte for each. Runs in a process of its own, so that nothing else is in the figures.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const programOf = (name) => fileURLToPath(new URL(name, import.meta.url))

export function soak({ runs, turns, log }) {
  return new Promise((resolve, reject) => {
    const [program, number] = turns > 0 ? ['soak-turns-child.mjs', turns] : ['soak-child.mjs', runs]
    // Not optimised: what is compiled meanwhile would be in the figures.
    const execArgv = ['--expose-gc', '--no-opt', '--no-sparkplug']
    const child = fork(programOf(program), [String(number)], { execArgv })
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
