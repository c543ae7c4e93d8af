/**
 * Work of its own: subagents, and commands that run long or in the background. Live, the CLI reports both in `task_*`
 * messages; a transcript has only the result of the call and, for background work, a notification.
 */
import { isDeepStrictEqual } from 'node:util'
import type { NewEvent, Task } from '@dorkos/shared'
import { limits, short } from './bounded-value.ts'
import { type CallState, type Mapped, type MapState, type TaskState, withTask } from './map-state.ts'
import { defined, type Fields, finite, list, record, text } from './untrusted.ts'

/** As `Task.label`. */
const labelChars = 300
/** Of those that ended, how many are published beside what runs. */
const endedTasks = 20

/** Undefined: nothing that the map knows. */
export function mapTask(state: MapState, message: Fields): Mapped | undefined {
  const mapped = mapOne(state, message)
  if (mapped === undefined) return undefined
  const tasks = publicTasks(mapped.state)
  if (isDeepStrictEqual(tasks, publicTasks(state))) return mapped
  return { state: mapped.state, events: [...mapped.events, { type: 'tasks_update', tasks }] }
}

function mapOne(state: MapState, message: Fields): Mapped | undefined {
  switch (message.subtype) {
    case 'task_started':
      return taskStarted(state, message)
    case 'task_progress':
      return taskProgress(state, message)
    case 'task_updated':
      return taskUpdated(state, message)
    case 'task_notification':
      return taskEnded(state, message)
    case 'background_tasks_changed':
      return { state: backgroundTasks(state, message), events: [] }
    default:
      return undefined
  }
}

/** What runs, and the newest of what ended, in the order of their beginnings. */
export function publicTasks({ tasks }: MapState): Task[] {
  const ended = tasks.filter(({ status }) => status !== 'running').slice(-endedTasks)
  return tasks
    .filter((task) => task.status === 'running' || ended.includes(task))
    .map(({ taskId, toolCallId, kind, label, background, status }) => ({
      task_id: taskId,
      ...defined({ tool_call_id: toolCallId }),
      kind,
      label,
      background,
      status,
    }))
}

function taskStarted(state: MapState, message: Fields): Mapped | undefined {
  const taskId = text(message.task_id)
  const toolCallId = text(message.tool_use_id)
  if (taskId === undefined || toolCallId === undefined || message.ambient === true) return undefined
  const task: CalledTask = {
    ...newTask(short(taskId), message),
    toolCallId: short(toolCallId),
    background: message.is_backgrounded === true,
  }
  const next = withTask(state, task)
  if (task.kind === 'agent')
    return { state: next, events: [agentStarted(task, message.subagent_type, message.description)] }
  // The description of a command is the command itself: no word of its progress.
  return { state: next, events: [] }
}

function newTask(taskId: string, message: Fields): TaskState {
  const isAgent = message.task_type === 'local_agent' || text(message.subagent_type) !== undefined
  const isCommand = message.task_type === 'local_bash'
  return {
    taskId,
    toolCallId: undefined,
    kind: isAgent ? 'agent' : isCommand ? 'command' : 'other',
    label: (text(message.description) ?? '').slice(0, labelChars),
    background: true,
    status: 'running',
  }
}

/**
 * The whole set of what runs in the background, before each of them is reported by itself. One that it does not have any more, and whose end
 * nobody reported, is forgotten: how it ended is not known.
 */
function backgroundTasks(state: MapState, message: Fields): MapState {
  const listed = list(message.tasks).slice(0, limits.blocks).map(record)
  const ids = new Set(listed.map((task) => text(task.task_id)))
  const left = state.tasks.filter(
    ({ background, status, taskId }) => !background || status !== 'running' || ids.has(taskId),
  )
  return listed.reduce<MapState>(
    (next, fields) => {
      const taskId = text(fields.task_id)
      if (taskId === undefined) return next
      const known = next.tasks.find((task) => task.taskId === short(taskId))
      return withTask(
        next,
        known ? { ...known, background: true, status: 'running' } : newTask(short(taskId), fields),
      )
    },
    { ...state, tasks: left },
  )
}

function taskProgress(state: MapState, message: Fields): Mapped | undefined {
  const toolCallId = text(message.tool_use_id)
  if (toolCallId === undefined) return undefined
  const milliseconds = finite(record(message.usage).duration_ms)
  const words = text(message.summary) ?? message.description
  return { state, events: [progress(short(toolCallId), words, milliseconds)] }
}

/** Of a task that ends a notification follows, with its summary; but not where it was killed with the agent that it was of. */
function taskUpdated(state: MapState, message: Fields): Mapped {
  const task = state.tasks.find(({ taskId }) => taskId === message.task_id)
  if (task === undefined || task.status !== 'running') return { state, events: [] }
  const { status, is_backgrounded } = record(message.patch)
  if (is_backgrounded === true) return { state: withTask(state, { ...task, background: true }), events: [] }
  if (status !== 'killed') return { state, events: [] }
  const next = withTask(state, { ...task, status: 'stopped' })
  return { state: next, events: isCalledAgent(task) ? [agentEnded(task, 'killed', undefined)] : [] }
}

function taskEnded(state: MapState, message: Fields): Mapped | undefined {
  const known = state.tasks.find(({ taskId }) => taskId === message.task_id)
  const callId = text(message.tool_use_id)
  if (known === undefined)
    return callId === undefined ? undefined : { state, events: [progress(short(callId), message.summary)] }
  const task: TaskState = { ...known, toolCallId: known.toolCallId ?? (callId && short(callId)) }
  // A subagent in the background reports each time it stops, and can be spoken to again: its end can come more than once.
  if (task.status !== 'running' && !task.background) return { state, events: [] }
  const next = withTask(state, { ...task, status: endStatus(message.status) })
  if (!isCalled(task)) return { state: next, events: [] }
  if (isCalledAgent(task)) return { state: next, events: [agentEnded(task, message.status, message.summary)] }
  // The result of a command in the foreground follows at once and says it all.
  return { state: next, events: task.background ? [progress(task.toolCallId, message.summary)] : [] }
}

type CalledTask = TaskState & { toolCallId: string }

const isCalled = (task: TaskState): task is CalledTask => task.toolCallId !== undefined
const isCalledAgent = (task: TaskState): task is CalledTask & { kind: 'agent' } =>
  task.kind === 'agent' && isCalled(task)

function endStatus(status: unknown): TaskState['status'] {
  if (status === 'failed') return 'failed'
  return status === 'stopped' || status === 'killed' ? 'stopped' : 'completed'
}

/** The result of a subagent's call: all that a transcript says of it; live it has been published before. */
export function mapAgentResult(state: MapState, call: CallState, detail: Fields): Mapped {
  const agentId = text(detail.agentId)
  if (agentId === undefined || state.tasks.some(({ taskId }) => taskId === short(agentId)))
    return { state, events: [] }
  const background = detail.isAsync === true
  const task: CalledTask = {
    taskId: short(agentId),
    toolCallId: call.toolCallId,
    kind: 'agent',
    label: (text(call.input.description) ?? '').slice(0, labelChars),
    background,
    status: background ? 'running' : endStatus(detail.status),
  }
  const started = agentStarted(task, detail.agentType ?? call.input.subagent_type, call.input.description)
  const words = list(detail.content).map((block) => text(record(block).text) ?? '')
  const ended = background ? [] : [agentEnded(task, detail.status, words.at(-1))]
  return { state: withTask(state, task), events: [started, ...ended] }
}

function agentStarted(task: CalledTask, agent: unknown, description: unknown): NewEvent {
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

function agentEnded(task: CalledTask, status: unknown, summary: unknown): NewEvent {
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
