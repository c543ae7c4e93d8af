/**
 * The agent's list of what it has to do. `TodoWrite` gives it whole; the newer `TaskCreate`, `TaskUpdate` and `TaskList`
 * (not to be confused with `Task`, a subagent) change it piece by piece, so it is kept. Which of them a session has depends
 * on the model and the `tools` option. The list counts as changed when the tool says so, not when it is called.
 */
import { isRecord, type NewEvent } from '@dorkos/shared'
import { short } from './bounded-value.ts'
import { type CallState, type Mapped, type MapState, type Todo, withTodos } from './map-state.ts'
import { defined, type Fields, list, record, text } from './untrusted.ts'

const todoTools = ['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList']

export const isTodoTool = (name: string): boolean => todoTools.includes(name)

/** A call of one of these tools succeeded with this result. */
export function mapTodoResult(state: MapState, call: CallState, detail: unknown): Mapped {
  const todos = changedTodos(state.todos, call, record(detail))
  if (todos === undefined) return { state, events: [] }
  const next = withTodos(state, todos)
  const event: NewEvent = { type: 'todo_update', todos: [...next.todos] }
  return { state: next, events: [event] }
}

function changedTodos(todos: readonly Todo[], call: CallState, detail: Fields): readonly Todo[] | undefined {
  switch (call.name) {
    case 'TodoWrite':
      return list(detail.newTodos ?? call.input.todos).flatMap((todo) => toTodo(todo))
    case 'TaskCreate':
      return [
        ...todos,
        ...toTodo({ ...call.input, ...record(detail.task), activeForm: call.input.activeForm }),
      ]
    case 'TaskList':
      return list(detail.tasks).flatMap((task) => toTodo(task, todos))
    case 'TaskUpdate':
      return updated(todos, call.input)
    default:
      return undefined
  }
}

/** Undefined for a task that is not known: the list would be made up. */
function updated(todos: readonly Todo[], input: Fields): readonly Todo[] | undefined {
  const id = taskId(input.taskId)
  const known = todos.find((todo) => todo.id === id)
  if (id === undefined || known === undefined) return undefined
  if (input.status === 'deleted') return todos.filter((todo) => todo.id !== id)
  const [changed] = toTodo({ status: known.status, ...input, id, subject: input.subject ?? known.content }, [
    known,
  ])
  return todos.map((todo) => (todo.id === id ? (changed ?? known) : todo))
}

/** One entry of either kind of list; `known` has what an entry of `TaskList` leaves out. */
function toTodo(value: unknown, known: readonly Todo[] = []): Todo[] {
  if (!isRecord(value)) return []
  const content = text(value.content) ?? text(value.subject)
  if (content === undefined) return []
  const id = taskId(value.id)
  const before = known.find((todo) => todo.id !== undefined && todo.id === id)
  const activeForm = text(value.activeForm) ?? before?.active_form
  return [
    defined({
      content: short(content),
      status: short(text(value.status) ?? 'pending'),
      active_form: activeForm === undefined ? undefined : short(activeForm),
      id,
    }),
  ]
}

function taskId(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  const id = text(value)
  return id === undefined ? undefined : short(id)
}
