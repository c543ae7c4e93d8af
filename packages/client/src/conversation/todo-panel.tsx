/** The agent's list of what it does, above the composer. */
import { ChevronRight, ListTodo } from 'lucide-react'
import type { Todo } from '../live/live-session.ts'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { useOpened } from './conversation-context.tsx'
import { TodoList } from './todo-list.tsx'

export function TodoPanel({ todos }: { todos: readonly Todo[] }) {
  const [isOpen, setOpen] = useOpened('todos')
  const done = todos.filter(({ status }) => status === 'completed').length
  if (todos.length === 0 || done === todos.length) return null
  const current = todos.find(({ status }) => status === 'in_progress')
  return (
    <section aria-label={text.conversation.todos} className="mx-auto w-full max-w-3xl px-4 sm:px-6">
      <div className="rounded-t-lg border border-b-0 border-line bg-card">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 w-full items-center gap-2 px-3 text-left text-sm max-sm:min-h-11"
        >
          <ListTodo aria-hidden size={15} className="shrink-0 text-faint" />
          <span
            className="font-medium tabular-nums"
            title={text.conversation.todosProgress(done, todos.length)}
          >
            {text.conversation.todosShort(done, todos.length)}
          </span>
          <span dir="auto" className="min-w-0 flex-1 truncate text-soft">
            {current ? (current.active_form ?? current.content) : text.conversation.todos}
          </span>
          <span aria-hidden className="h-1 w-16 shrink-0 overflow-hidden rounded-full bg-raised">
            <span className="block h-full bg-ok" style={{ width: `${(done / todos.length) * 100}%` }} />
          </span>
          <ChevronRight
            aria-hidden
            size={14}
            className={cx('shrink-0 text-faint transition-transform', isOpen ? 'rotate-90' : '-rotate-90')}
          />
        </button>
        {isOpen && (
          <div className="max-h-56 overflow-y-auto border-t border-line px-3 py-1">
            <TodoList todos={todos} />
          </div>
        )}
      </div>
    </section>
  )
}
