import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useSessions } from '../live/use-live.ts'
import { text } from '../text/later-text.ts'
import { changeDraft } from './drafts.ts'

/** Something to begin with, where nothing was said yet. The demo model understands only its own commands, so they are always shown. */
export function FirstPrompts() {
  const words = text.composer.fresh
  const { data: status } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.getStatus({ signal }),
  })
  const hasSessions = useSessions().length > 0
  if (!status) return null
  const isDemo = status.model.mode === 'demo'
  if (hasSessions && !isDemo) return null
  const take = (prompt: string) => {
    changeDraft('new', { text: prompt })
    document.querySelector<HTMLTextAreaElement>('[data-message-editor]')?.focus()
  }
  return (
    <section aria-label={words.suggestions} className="flex flex-col gap-2">
      {isDemo && <p className="text-sm text-soft">{words.demo}</p>}
      <ul className="flex flex-wrap gap-2">
        {(isDemo ? words.demoPrompts : words.prompts).map((prompt) => (
          <li key={prompt}>
            <button
              type="button"
              onClick={() => take(prompt)}
              className="min-h-8 max-sm:min-h-10 rounded-full border border-line bg-card px-3 py-1 text-left text-sm text-soft hover:bg-hover hover:text-text"
            >
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
