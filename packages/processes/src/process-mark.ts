/**
 * A process that carries a variable which says whose it is can be found again: when it has left its process group, and when the
 * program that started it was killed. Linux only: elsewhere nothing is found.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { allProcesses, isLiving, readProcess, readVariable } from './process-table.ts'

const rounds = 5
const deadAfterMs = 20

let started = 0

/** `<mark>:<our process>:<its start time>:<number of the process>`. */
export function nextMarkValue(mark: string): string {
  started += 1
  return `${mark}:${process.pid}:${readProcess(process.pid)?.startTime ?? '0'}:${started}`
}

/** Ends every process that carries exactly this value; resolves with their number. */
export function endMarked(variable: string, value: string): Promise<number> {
  return endWhere(variable, (found) => found === value)
}

/** Ends every process with this mark whose owner is no more; resolves with their number. */
export function endOrphans(variable: string, mark: string): Promise<number> {
  return endWhere(variable, (value) => {
    const [word, pid, startTime] = value.split(':')
    return word === mark && startTime !== undefined && readProcess(Number(pid))?.startTime !== startTime
  })
}

/** Again until none is found: one that is about to be ended may have started another. */
async function endWhere(variable: string, isMeant: (value: string) => boolean): Promise<number> {
  const ended = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    const found = await findMarked(variable, isMeant)
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

async function findMarked(variable: string, isMeant: (value: string) => boolean): Promise<number[]> {
  const pids = allProcesses().filter((pid) => pid !== process.pid)
  const values = await Promise.all(pids.map((pid) => readVariable(pid, variable)))
  return pids.filter((pid, index) => {
    const value = values[index]
    return value !== undefined && isMeant(value) && isLiving(pid)
  })
}
