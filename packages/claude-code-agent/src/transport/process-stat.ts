/** What Linux tells about a process. Elsewhere there is no /proc, and every answer is `undefined` or empty. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessStat {
  /** `Z` is a zombie: dead, but not yet collected by its parent. */
  state: string
  processGroup: number
  /** In clock ticks since boot. With the process id, it names a process for good: ids are used again. */
  startTime: string
}

export function readProcessStat(pid: number): ProcessStat | undefined {
  if (process.platform !== 'linux') return undefined
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The second field is the program's name in parentheses, and may hold anything, spaces and parentheses too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, processGroup, startTime] = [fields[0], fields[2], fields[19]]
  if (state === undefined || processGroup === undefined || startTime === undefined) return undefined
  return { state, processGroup: Number(processGroup), startTime }
}

/** The living members of a process group. Looks at every process of the machine: not for a hot path. */
export function readGroupMembers(processGroup: number): number[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  return pids.filter((pid) => {
    const stat = readProcessStat(pid)
    return stat?.processGroup === processGroup && stat.state !== 'Z'
  })
}

/** Whether the process was started with `name=value` in its environment. */
export function hasEnvironmentEntry(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry)
  } catch {
    return false
  }
}
