/** How much memory a process and its children really cost. */
import { readdir, readFile } from 'node:fs/promises'

/** Proportional memory of one process in MB: shared pages count by their share. 0 where the system does not say. */
export async function processMemoryMb(pid: number): Promise<number> {
  try {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
    const own = Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024
    const children = await childrenOf(pid)
    const sizes = await Promise.all(children.map(processMemoryMb))
    return own + sizes.reduce((total, size) => total + size, 0)
  } catch {
    return 0
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
