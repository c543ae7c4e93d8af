import type { Session } from '@dorkos/shared'
import { Archive, ArchiveRestore, Trash2 } from 'lucide-react'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/later-text.ts'
import { Button } from '../ui/button.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { archiveAll, deleteAll } from './bulk-actions.ts'
import type { SessionFilter } from './session-groups.ts'
import { useSessionList } from './use-session-list.ts'

interface BulkBarProps {
  selected: readonly Session[]
  filter: SessionFilter
  onSelect: (sessions: readonly Session[]) => void
  onDone: () => void
}

/** What can be done with the sessions that are selected. */
export function BulkBar({ selected, filter, onSelect, onDone }: BulkBarProps) {
  const { sessions } = useSessionList(filter)
  const archived = filter === 'archived'
  const canChat = useCan('chat')
  const isAdmin = useCan('admin')
  const words = text.bulk
  const none = selected.length === 0 ? words.needsChoice : undefined
  return (
    <section aria-label={words.region} className="flex flex-wrap items-center gap-1 border-t border-line p-2">
      <span className="flex w-full items-center gap-2 px-1 text-sm text-soft">
        <span role="status" className="flex-1">
          {words.selected(selected.length)}
        </span>
        {selected.length < sessions.length && (
          <Button size="sm" variant="ghost" onClick={() => onSelect(sessions)}>
            {words.all}
          </Button>
        )}
      </span>
      {canChat && (
        <ReasonButton
          size="sm"
          icon={archived ? ArchiveRestore : Archive}
          reason={none}
          onClick={() => {
            void archiveAll(selected, !archived)
            onDone()
          }}
        >
          {archived ? words.unarchive : words.archive}
        </ReasonButton>
      )}
      {isAdmin && (
        <ReasonButton
          size="sm"
          icon={Trash2}
          reason={none}
          onClick={() => {
            deleteAll(selected)
            onDone()
          }}
        >
          {words.delete}
        </ReasonButton>
      )}
      <Button size="sm" variant="ghost" className="ml-auto" onClick={onDone}>
        {words.cancel}
      </Button>
    </section>
  )
}
