/** What Linux says about processes. Elsewhere there is no /proc, and every answer is `undefined` or empty. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

export interface ProcessStat {
  /** False for a zombie: dead, but not yet collected by its parent. In a container, nobody may ever do so. */
  isLiving: boolean
  group: number
  /** In clock ticks since boot. With the process id, it names a process for good: ids are used again. */
  startTime: string
}

export function readProcess(pid: number): ProcessStat | undefined {
  if (process.platform !== 'linux') return undefined
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The second field is the program's name in parentheses, and may hold anything, spaces and parentheses too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, group, startTime] = [fields[0], fields[2], fields[19]]
  if (state === undefined || group === undefined || startTime === undefined) return undefined
  return { isLiving: state !== 'Z' && state !== 'X', group: Number(group), startTime }
}

/** Whether a process with this id lives. Without /proc, one that is dead but not collected counts. */
export function isLiving(pid: number): boolean {
  if (process.platform === 'linux') return readProcess(pid)?.isLiving === true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether the process that had this id and start time still lives. Without /proc, the id alone must do. */
export function isSameProcess(pid: number, startTime: string | undefined): boolean {
  if (process.platform !== 'linux') return isLiving(pid)
  const stat = readProcess(pid)
  return stat?.isLiving === true && stat.startTime === startTime
}

export function allProcesses(): number[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

/** The living members of a process group. Reads every process of the machine: not for a hot path. */
export function groupMembers(group: number): number[] {
  return allProcesses().filter((pid) => {
    const stat = readProcess(pid)
    return stat?.group === group && stat.isLiving
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
