/** Module hooks that report the address of every module that is loaded. */

/** @type {import('node:worker_threads').MessagePort} */
let port

/** @param {{ port: import('node:worker_threads').MessagePort }} data */
export function initialize(data) {
  port = data.port
}

/** @type {import('node:module').LoadHook} */
export function load(url, context, nextLoad) {
  port.postMessage(url)
  return nextLoad(url, context)
}
