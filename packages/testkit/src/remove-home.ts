import { readdir, readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 50
const PATIENCE_MS = 3_000

/**
 * Removes a private home once no process lives in it any more: a CLI that was asked to end still writes its transcript,
 * and makes the folders for it anew. Bounded, and the removal is tried again where a file appears in the middle of it.
 */
export async function removeHome(home: string): Promise<void> {
  const attempts = PATIENCE_MS / POLL_MS
  for (let attempt = 0; attempt < attempts && (await isInUse(home)); attempt += 1) await delay(POLL_MS)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rm(home, { recursive: true, force: true })
    } catch (error) {
      if (attempt >= attempts) throw error
      await delay(POLL_MS)
    }
  }
}

/** Whether a process has this home in its environment. Known on Linux only; elsewhere the answer is no. */
async function isInUse(home: string): Promise<boolean> {
  const processes = await readdir('/proc').catch(() => [])
  const environments = processes
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''))
  const wanted = `HOME=${home}`
  return (await Promise.all(environments)).some((environment) => environment.split('\0').includes(wanted))
}
