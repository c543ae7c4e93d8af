/** What the map remembers from one message to the next: plain data, never changed in place, of bounded size. */
import type { NewEvent, Task } from '@dorkos/shared'

export type Todo = Extract<NewEvent, { type: 'todo_update' }>['todos'][number]

/** A block of an answer, as far as events show it. */
export interface BlockState {
  index: number
  kind: 'text' | 'thinking' | 'tool' | 'other'
  /** Characters that deltas have sent already. */
  sent: number
  toolCallId: string | undefined
  /** The id of the complete message that repeated it; undefined until then. */
  completedBy: string | undefined
}

/** An answer of the model, whose blocks come one by one. */
export interface MappedMessage {
  id: string
  parent: string | undefined
  blocks: readonly BlockState[]
}

/** A call whose result says more than its own: lists of tasks, subagents. */
export interface CallState {
  toolCallId: string
  name: string
  input: Record<string, unknown>
}

/** A subagent, or a command that runs long or in the background. */
export interface TaskState {
  taskId: string
  /** Not known of one that is only listed as running in the background. */
  toolCallId: string | undefined
  kind: Task['kind']
  label: string
  background: boolean
  status: Task['status']
}

export interface MapState {
  session: 'idle' | 'working' | 'waiting'
  /** The newest answers, oldest first. */
  messages: readonly MappedMessage[]
  calls: readonly CallState[]
  tasks: readonly TaskState[]
  todos: readonly Todo[]
}

export interface Mapped {
  state: MapState
  events: NewEvent[]
}

const kept = { messages: 32, blocks: 500, calls: 100, tasks: 200, todos: 200 }

/** `todos`: the list as it stood, when a session goes on in a new process. */
export function initialMapState(known: { todos?: readonly Todo[] } = {}): MapState {
  return { session: 'idle', messages: [], calls: [], tasks: [], todos: known.todos ?? [] }
}

export function findMessage(
  state: MapState,
  id: string,
  parent: string | undefined,
): MappedMessage | undefined {
  return state.messages.findLast((message) => message.id === id && message.parent === parent)
}

/** The answer that is being streamed by the agent, or by the subagent of this call. */
export function newestMessage(state: MapState, parent: string | undefined): MappedMessage | undefined {
  return state.messages.findLast((message) => message.parent === parent)
}

export function withMessage(state: MapState, message: MappedMessage): MapState {
  const at = state.messages.findLastIndex(({ id, parent }) => id === message.id && parent === message.parent)
  if (at === -1) return { ...state, messages: [...state.messages, message].slice(-kept.messages) }
  return { ...state, messages: state.messages.with(at, message) }
}

export function withBlock(message: MappedMessage, block: BlockState): MappedMessage {
  const at = message.blocks.findIndex(({ index }) => index === block.index)
  const blocks = at === -1 ? [...message.blocks, block].slice(-kept.blocks) : message.blocks.with(at, block)
  return { ...message, blocks }
}

export function withCall(state: MapState, call: CallState): MapState {
  return { ...state, calls: [...state.calls, call].slice(-kept.calls) }
}

export function withoutCall(state: MapState, toolCallId: string): MapState {
  if (!state.calls.some((call) => call.toolCallId === toolCallId)) return state
  return { ...state, calls: state.calls.filter((call) => call.toolCallId !== toolCallId) }
}

/** One that is known stays in its place. */
export function withTask(state: MapState, task: TaskState): MapState {
  const at = state.tasks.findIndex(({ taskId }) => taskId === task.taskId)
  if (at === -1) return { ...state, tasks: [...state.tasks, task].slice(-kept.tasks) }
  return { ...state, tasks: state.tasks.with(at, task) }
}

export function withTodos(state: MapState, todos: readonly Todo[]): MapState {
  return { ...state, todos: todos.slice(-kept.todos) }
}
