/**
 * Asks the kernel to end a child when this program dies, also by SIGKILL: `setpriv --pdeathsig` (util-linux 2.33
 * or newer, Linux only) sets that up and then becomes the child. Only the child itself is signalled, not what it
 * started; and the kernel forgets the request when a setuid program is started.
 */
import { execFile } from 'node:child_process'
import { isMainThread } from 'node:worker_threads'

const launcher = ['--pdeathsig', 'TERM', '--']
/** Fixed places, not PATH: the directory an agent works in must not decide what is run. */
const candidates = ['/usr/bin/setpriv', '/bin/setpriv', '/run/current-system/sw/bin/setpriv']
const probeMs = 1000

let found: Promise<readonly string[]> | undefined

/**
 * What to put before a command, or nothing where that is not to be had. The request is tied to the thread that
 * starts the child, so there is none for children of a worker thread: they would die with the worker.
 */
export function parentDeathLauncher(): Promise<readonly string[]> {
  if (process.platform !== 'linux' || !isMainThread) return Promise.resolve([])
  found ??= probe()
  return found
}

/** Has setpriv start itself: older ones, and that of busybox, do not know the option. */
async function probe(): Promise<readonly string[]> {
  for (const candidate of candidates) {
    const works = await new Promise<boolean>((resolve) => {
      execFile(candidate, [...launcher, candidate, '--version'], { timeout: probeMs, env: {} }, (error) =>
        resolve(!error),
      )
    })
    if (works) return [candidate, ...launcher]
  }
  return []
}
