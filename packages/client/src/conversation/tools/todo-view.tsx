import { TodoList } from '../todo-list.tsx'
import { GenericView } from './generic-view.tsx'
import { fields, stringOf } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { inputOf } from './tool-title.ts'

/** The list that the call wrote; a call about one task is shown as it is. */
export function TodoView({ item, status }: ToolBodyProps) {
  const { todos } = inputOf(item)
  if (!Array.isArray(todos)) return <GenericView item={item} status={status} />
  const list = todos.slice(0, 200).map((todo) => {
    const { content, status: state } = fields(todo)
    return { content: stringOf(content) ?? '', status: stringOf(state) ?? 'pending' }
  })
  return <TodoList todos={list} />
}
