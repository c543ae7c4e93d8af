/** The agent's list of what it does: above the composer, or on a phone behind a button of the header, where it takes no room. */
import { ListTodo } from 'lucide-react'
import type { Todo } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Popover } from '../ui/popover.tsx'
import { useOpened } from './conversation-context.tsx'
import { MeterButton } from './meter-button.tsx'
import { TodoList } from './todo-list.tsx'

export function TodoPanel({ todos }: { todos: readonly Todo[] }) {
  const opened = useOpened('todos')
  const done = doneOf(todos)
  if (done === todos.length) return null
  const current = todos.find(({ status }) => status === 'in_progress')
  const label = (
    <>
      <span className="font-medium tabular-nums" title={text.conversation.todosProgress(done, todos.length)}>
        {text.conversation.todosShort(done, todos.length)}
      </span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-soft">
        {current ? (current.active_form ?? current.content) : text.conversation.todos}
      </span>
      <span aria-hidden className="h-1 w-16 shrink-0 overflow-hidden rounded-full bg-raised">
        <span className="block h-full bg-ok" style={{ width: `${(done / todos.length) * 100}%` }} />
      </span>
    </>
  )
  return (
    <section
      aria-label={text.conversation.todos}
      className="mx-auto w-full max-w-3xl px-4 max-sm:hidden sm:px-6"
    >
      <Disclosure
        look="head"
        icon={ListTodo}
        label={label}
        opened={opened}
        className="rounded-t-lg border border-b-0 border-line bg-card"
        bodyClassName="max-h-56 overflow-y-auto border-t border-line px-3 py-1"
      >
        <TodoList todos={todos} />
      </Disclosure>
    </section>
  )
}

export function TodoButton({ todos }: { todos: readonly Todo[] }) {
  const done = doneOf(todos)
  if (done === todos.length) return null
  const progress = text.conversation.todosProgress(done, todos.length)
  return (
    <Popover
      label={text.conversation.todos}
      align="end"
      trigger={
        <MeterButton aria-label={`${text.conversation.todos}: ${progress}`} title={progress}>
          <ListTodo aria-hidden size={15} />
          {text.conversation.todosShort(done, todos.length)}
        </MeterButton>
      }
    >
      <TodoList todos={todos} />
    </Popover>
  )
}

function doneOf(todos: readonly Todo[]): number {
  return todos.filter(({ status }) => status === 'completed').length
}
