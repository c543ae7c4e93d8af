/** What Linux tells about processes. Elsewhere there is no /proc, and every answer is `undefined` or empty. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

export interface ProcessRow {
  /** `Z` is a zombie: dead, but not yet collected by its parent. */
  state: string
  group: number
  /** In clock ticks since boot. With the process id, it names a process for good: ids are used again. */
  startTime: string
}

export function readProcess(pid: number): ProcessRow | undefined {
  if (process.platform !== 'linux') return undefined
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The second field is the program's name in parentheses, and may hold anything, parentheses too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, group, startTime] = [fields[0], fields[2], fields[19]]
  if (state === undefined || group === undefined || startTime === undefined) return undefined
  return { state, group: Number(group), startTime }
}

/** Those that are dead but not collected are left out. */
export function isLiving(pid: number): boolean {
  const row = readProcess(pid)
  return row !== undefined && row.state !== 'Z' && row.state !== 'X'
}

export function allProcesses(): number[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

/** Looks at every process of the machine: not for a hot path. */
export function hasLivingMembers(group: number): boolean {
  return allProcesses().some((pid) => {
    const row = readProcess(pid)
    return row?.group === group && row.state !== 'Z' && row.state !== 'X'
  })
}

/** What the variable was when the process started; `undefined` also where we may not look. */
export async function readVariable(pid: number, name: string): Promise<string | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    const entry = environment.split('\0').find((each) => each.startsWith(`${name}=`))
    return entry?.slice(name.length + 1)
  } catch {
    return undefined
  }
}
