/** Clients in a process of their own: what they need must not be taken from the server's. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @param {string} file Beside this one. */
export function startHelper(file) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] })
  /** @type {Promise<never>} */
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`)
  })
  failed.catch(() => {})
  return {
    /** One message there, one back. @param {object} request @returns {Promise<any>} */
    async ask(request) {
      const answer = once(child, 'message')
      child.send(request)
      const [message] = await Promise.race([answer, failed])
      return message
    },
    end: () => child.kill(),
  }
}
