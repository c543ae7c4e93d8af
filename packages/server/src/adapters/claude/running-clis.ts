/**
 * Which CLIs run. Each writes `sessions/<pid>.json` into its configuration folder and removes it at the end; one that was
 * killed leaves it behind (observed with 2.1.325).
 */

import { constants } from 'node:fs'
import { open, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isLiving, isRecord, isSameProcess } from '@dorkos/processes'

const maxFileBytes = 64 * 1024
const maxFiles = 10_000

export interface RunningCli {
  sessionId: string
  /** Undefined when the number means nothing here. */
  pid: number | undefined
  /** `unknown`: it runs on another machine or in a container, so its process cannot be inspected. */
  state: 'running' | 'unknown'
}

/** Undefined when there is no such folder: then the CLI is too old to say. */
export async function runningClis(folder: string): Promise<RunningCli[] | undefined> {
  const names = await readdir(folder).catch(() => undefined)
  if (names === undefined) return undefined
  const files = names.filter((name) => /^\d{1,10}\.json$/.test(name)).slice(0, maxFiles)
  const found = await Promise.all(files.map((name) => readCli(join(folder, name))))
  return found.filter((cli) => cli !== undefined)
}

async function readCli(path: string): Promise<RunningCli | undefined> {
  const entry = await readEntry(path)
  const { sessionId, pid, procStart, pidDomain } = entry ?? {}
  if (typeof sessionId !== 'string' || !isPid(pid)) return undefined
  if (typeof pidDomain === 'string' && !(await isOwnDomain(pidDomain)))
    return { sessionId, pid: undefined, state: 'unknown' }
  return isRunning(pid, procStart) ? { sessionId, pid, state: 'running' } : undefined
}

async function readEntry(path: string): Promise<Record<string, unknown> | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  try {
    const status = await file?.stat()
    if (!file || !status?.isFile() || status.size > maxFileBytes) return undefined
    const value: unknown = JSON.parse(await file.readFile('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

function isPid(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 1
}

/** A domain names the machine and the namespace that its process ids belong to. */
async function isOwnDomain(domain: string): Promise<boolean> {
  const [namespace, machine] = await Promise.all([
    readlink('/proc/self/ns/pid').catch(() => ''),
    readFile('/etc/machine-id', 'utf8').catch(() => ''),
  ])
  return domain.endsWith(namespace) && domain.includes(machine.trim())
}

/** Ids of processes are used again, so the time of its start must be the same, where it is known. */
function isRunning(pid: number, procStart: unknown): boolean {
  return procStart === undefined || procStart === null ? isLiving(pid) : isSameProcess(pid, String(procStart))
}
