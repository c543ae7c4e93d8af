import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Background tasks of one session that have begun and not ended. They outlast the process, as a transcript does. */
export interface OpenTasks extends Iterable<string> {
  add(taskId: string): unknown
  delete(taskId: string): unknown
}

/** One file for each task, so that a process that is killed leaves them whole. */
export function openTasksIn(folder: string, sessionId: string): OpenTasks {
  const tasks = join(folder, 'open-tasks', encodeURIComponent(sessionId))
  mkdirSync(tasks, { recursive: true })
  return {
    add: (taskId) => writeFileSync(join(tasks, taskId), ''),
    delete: (taskId) => rmSync(join(tasks, taskId), { force: true }),
    [Symbol.iterator]: () => readdirSync(tasks).values(),
  }
}
