/**
 * Work of its own: subagents, and commands that run long or in the background. Live, the CLI reports both in `task_*`
 * messages; a transcript has only the result of the call and, for background work, a notification.
 */
import type { NewEvent } from '@dorkos/shared'
import { short } from './bounded-value.ts'
import { type CallState, type Mapped, type MapState, type TaskState, withTask } from './map-state.ts'
import { defined, type Fields, finite, list, record, text } from './untrusted.ts'

/** Undefined: nothing that the map knows. */
export function mapTask(state: MapState, message: Fields): Mapped | undefined {
  switch (message.subtype) {
    case 'task_started':
      return taskStarted(state, message)
    case 'task_progress':
      return taskProgress(state, message)
    case 'task_updated':
      return taskUpdated(state, message)
    case 'task_notification':
      return taskEnded(state, message)
    default:
      return undefined
  }
}

function taskStarted(state: MapState, message: Fields): Mapped | undefined {
  const taskId = text(message.task_id)
  const toolCallId = text(message.tool_use_id)
  if (taskId === undefined || toolCallId === undefined || message.ambient === true) return undefined
  const isAgent = message.task_type === 'local_agent' || text(message.subagent_type) !== undefined
  const task: TaskState = {
    taskId: short(taskId),
    toolCallId: short(toolCallId),
    kind: isAgent ? 'agent' : 'command',
    background: message.is_backgrounded === true,
    ended: false,
  }
  const next = withTask(state, task)
  if (isAgent)
    return { state: next, events: [agentStarted(task, message.subagent_type, message.description)] }
  // The description of a command is the command itself: no word of its progress.
  return { state: next, events: [] }
}

function taskProgress(state: MapState, message: Fields): Mapped | undefined {
  const toolCallId = text(message.tool_use_id)
  if (toolCallId === undefined) return undefined
  const milliseconds = finite(record(message.usage).duration_ms)
  const words = text(message.summary) ?? message.description
  return { state, events: [progress(short(toolCallId), words, milliseconds)] }
}

/** Only a task that was killed ends here: of the others a notification follows, with their summary. */
function taskUpdated(state: MapState, message: Fields): Mapped {
  const task = state.tasks.find(({ taskId }) => taskId === message.task_id)
  if (task === undefined || task.ended || record(message.patch).status !== 'killed')
    return { state, events: [] }
  const next = withTask(state, { ...task, ended: true })
  return { state: next, events: task.kind === 'agent' ? [agentEnded(task, 'killed', undefined)] : [] }
}

function taskEnded(state: MapState, message: Fields): Mapped | undefined {
  const task = state.tasks.find(({ taskId }) => taskId === message.task_id)
  if (task === undefined) {
    const toolCallId = text(message.tool_use_id)
    return toolCallId === undefined
      ? undefined
      : { state, events: [progress(short(toolCallId), message.summary)] }
  }
  // A subagent in the background reports each time it stops, and can be spoken to again: its end can come more than once.
  if (task.ended && !task.background) return { state, events: [] }
  const next = withTask(state, { ...task, ended: true })
  if (task.kind === 'agent')
    return { state: next, events: [agentEnded(task, message.status, message.summary)] }
  // The result of a command in the foreground follows at once and says it all.
  return { state: next, events: task.background ? [progress(task.toolCallId, message.summary)] : [] }
}

/** The result of a subagent's call: all that a transcript says of it; live it has been published before. */
export function mapAgentResult(state: MapState, call: CallState, detail: Fields): Mapped {
  const agentId = text(detail.agentId)
  if (agentId === undefined || state.tasks.some(({ taskId }) => taskId === short(agentId)))
    return { state, events: [] }
  const background = detail.isAsync === true
  const task: TaskState = {
    taskId: short(agentId),
    toolCallId: call.toolCallId,
    kind: 'agent',
    background,
    ended: !background,
  }
  const started = agentStarted(task, detail.agentType ?? call.input.subagent_type, call.input.description)
  const words = list(detail.content).map((block) => text(record(block).text) ?? '')
  const ended = background ? [] : [agentEnded(task, detail.status, words.at(-1))]
  return { state: withTask(state, task), events: [started, ...ended] }
}

function agentStarted(task: TaskState, agent: unknown, description: unknown): NewEvent {
  return {
    type: 'subagent_start',
    ...defined({
      tool_call_id: task.toolCallId,
      task_id: task.taskId,
      agent: shortText(agent),
      description: shortText(description),
      background: task.background,
    }),
  }
}

function agentEnded(task: TaskState, status: unknown, summary: unknown): NewEvent {
  return {
    type: 'subagent_end',
    ...defined({ tool_call_id: task.toolCallId, task_id: task.taskId, summary: shortText(summary) }),
    status: shortText(status) ?? 'completed',
  }
}

function progress(toolCallId: string, words: unknown, milliseconds?: number): NewEvent {
  const elapsed = milliseconds === undefined ? undefined : milliseconds / 1000
  return {
    type: 'tool_progress',
    ...defined({ tool_call_id: toolCallId, elapsed_seconds: elapsed, text: shortText(words) }),
  }
}

function shortText(value: unknown): string | undefined {
  const words = text(value)
  return words === undefined ? undefined : short(words)
}
