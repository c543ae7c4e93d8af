/**
 * Every server process carries a variable that says whose it is. So what a killed program left behind is found again, and also what
 * has left its process group.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { allProcesses, isLiving, readProcess, readVariable } from './process-table.ts'

export const markVariable = 'DORKOS_MCP_MARK'

const rounds = 5
const deadAfterMs = 20

let started = 0

/** `<mark>:<our process>:<its start time>:<number of the server process>`. */
export function nextMarkValue(mark: string): string {
  started += 1
  return `${mark}:${process.pid}:${readProcess(process.pid)?.startTime ?? '0'}:${started}`
}

/** Ends every process that carries exactly this value; resolves with their number. */
export function endMarked(value: string): Promise<number> {
  return endWhere((found) => found === value)
}

/** Ends every process with this mark whose owner is no more; resolves with their number. */
export function endOrphans(mark: string): Promise<number> {
  return endWhere((value) => {
    const [word, pid, startTime] = value.split(':')
    return word === mark && startTime !== undefined && readProcess(Number(pid))?.startTime !== startTime
  })
}

/** Again until none is found: one that is about to be ended may have started another. */
async function endWhere(isMeant: (value: string) => boolean): Promise<number> {
  const ended = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    const found = await findMarked(isMeant)
    if (found.length === 0) break
    for (const pid of found) {
      ended.add(pid)
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended, or is not ours to end.
      }
    }
    await sleep(deadAfterMs)
  }
  return ended.size
}

async function findMarked(isMeant: (value: string) => boolean): Promise<number[]> {
  const pids = allProcesses().filter((pid) => pid !== process.pid)
  const values = await Promise.all(pids.map((pid) => readVariable(pid, markVariable)))
  return pids.filter((pid, index) => {
    const value = values[index]
    return value !== undefined && isMeant(value) && isLiving(pid)
  })
}
