/** The title, which is changed where it stands. */
import type { Session } from '@dorkos/shared'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { sessionTitle } from '../sessions/session-title.ts'
import { text } from '../text/text.ts'
import { useConversation } from './conversation-context.tsx'
import { useCommand } from './session-commands.ts'

interface SessionTitleProps {
  session: Session
  isEditing: boolean
  setEditing: (editing: boolean) => void
}

export function SessionTitle({ session, isEditing, setEditing }: SessionTitleProps) {
  const { canChat } = useConversation()
  const title = sessionTitle(session)
  if (isEditing) return <TitleForm session={session} title={title} onClose={() => setEditing(false)} />
  return (
    <h1 dir="auto" className="-mx-1.5 min-w-0 truncate text-[0.9375rem] font-semibold" title={title}>
      {canChat ? (
        <button
          type="button"
          title={text.conversation.renameHint}
          onClick={() => setEditing(true)}
          className="block max-w-full truncate rounded-md px-1.5 py-0.5 text-left hover:bg-hover"
        >
          {title}
        </button>
      ) : (
        title
      )}
    </h1>
  )
}

function TitleForm({ session, title, onClose }: { session: Session; title: string; onClose: () => void }) {
  const [value, setValue] = useState(title)
  const [run] = useCommand()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const save = () => {
    const next = value.trim()
    onClose()
    if (next === '' || next === title) return
    run(() => api.changeSession({ params: { id: session.id }, body: { title: next.slice(0, 200) } }))
  }
  return (
    <input
      ref={input}
      aria-label={text.conversation.titleLabel}
      value={value}
      maxLength={200}
      dir="auto"
      onChange={(event) => setValue(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') save()
        if (event.key === 'Escape') {
          // Here it takes back the edit, and does not stop the agent.
          event.stopPropagation()
          event.nativeEvent.stopImmediatePropagation()
          onClose()
        }
      }}
      className="h-8 min-w-0 flex-1 rounded-md border border-field bg-card px-1.5 text-[0.9375rem] font-semibold"
    />
  )
}
