import { Circle, CircleCheck, CircleDot } from 'lucide-react'
import type { Todo } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'

const icons = { completed: CircleCheck, in_progress: CircleDot, pending: Circle }
type State = keyof typeof icons

function stateOf(status: string): State {
  return status === 'completed' || status === 'in_progress' ? status : 'pending'
}

export function TodoList({ todos }: { todos: readonly Todo[] }) {
  return (
    <ul className="flex flex-col gap-1 py-1 text-sm">
      {todos.map(({ id, content, status, active_form }, index) => {
        const state = stateOf(status)
        const Icon = icons[state]
        return (
          <li key={id ?? `${index}:${content}`} className="flex items-start gap-2">
            <Icon
              role="img"
              aria-label={text.conversation.todoStates[state]}
              size={15}
              className={cx(
                'mt-0.5 shrink-0',
                state === 'completed' ? 'text-ok' : state === 'in_progress' ? 'text-running' : 'text-faint',
              )}
            />
            <span
              dir="auto"
              className={cx(
                'min-w-0 [overflow-wrap:anywhere]',
                state === 'completed' && 'text-faint line-through',
                state === 'in_progress' && 'font-medium',
              )}
            >
              {state === 'in_progress' ? (active_form ?? content) : content}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
