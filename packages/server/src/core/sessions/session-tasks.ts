/** Commands and subagents that run for a session: which there are, what they have printed, and how one is stopped. */
import { type ParsedQuery, say, type Task, type TaskOutput } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Coordination } from '../ports/coordination.ts'
import type { SessionDirectory } from './session-directory.ts'
import type { SessionRunner } from './session-runner.ts'
import { latestTasks } from './session-snapshot.ts'

interface SessionTasksParts {
  events: Coordination['events']
  directory: Pick<SessionDirectory, 'check'>
  /** The one that this server owns, if any. */
  peek(sessionId: string): SessionRunner | undefined
  audit(actor: Actor, action: string, sessionId: string, detail: Record<string, unknown>): Promise<void>
}

export class SessionTasks {
  readonly #parts: SessionTasksParts

  constructor(parts: SessionTasksParts) {
    this.#parts = parts
  }

  async list(actor: Actor, id: string): Promise<Task[]> {
    const { directory, events } = this.#parts
    await directory.check(actor, id)
    return latestTasks(events, id, await events.end(id))
  }

  async output(
    actor: Actor,
    id: string,
    taskId: string,
    page: ParsedQuery<'getTaskOutput'>,
  ): Promise<TaskOutput> {
    const { runner } = await this.#find(actor, id, taskId)
    const read = await runner.agent.taskOutput(taskId, page)
    if (read === undefined) throw new AppError('not_found', say('task_without_output'))
    return { text: read.text, offset: read.offset, next_offset: read.nextOffset, bytes: read.bytes }
  }

  /** Asks the CLI; an event reports that the task has ended. */
  async stop(actor: Actor, id: string, taskId: string): Promise<void> {
    const { runner, task } = await this.#find(actor, id, taskId)
    if (task.status !== 'running') throw new AppError('conflict', say('task_ended'))
    await this.#parts.audit(actor, 'task_stopped', id, {
      task_id: taskId,
      label: task.label,
      ...(task.tool_call_id !== undefined && { tool_call_id: task.tool_call_id }),
    })
    await runner.agent.stopTask(taskId)
  }

  async #find(actor: Actor, id: string, taskId: string): Promise<{ runner: SessionRunner; task: Task }> {
    const { directory, peek } = this.#parts
    await directory.check(actor, id)
    const runner = peek(id)
    const task = runner?.tasks.find((one) => one.task_id === taskId)
    if (!runner || !task) throw new AppError('not_found', say('task_not_found'))
    return { runner, task }
  }
}
