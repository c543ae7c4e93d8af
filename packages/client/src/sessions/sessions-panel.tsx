import type { Session } from '@dorkos/shared'
import { ListChecks, ListFilter, Search, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useRemembered } from '../browser/remembered.ts'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { deferred } from '../ui/deferred.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { type SessionFilter, sessionFilters } from './session-groups.ts'
import { SessionList } from './session-list.tsx'

const BulkBar = deferred(async () => (await import('./bulk-bar.tsx')).BulkBar)
const SearchResults = deferred(async () => (await import('./search-results.tsx')).SearchResults)

/** The lower part of the sidebar: search, filter, and the sessions. */
export function SessionsPanel() {
  const [query, setQuery] = useState('')
  const [stored, setStored] = useRemembered('dorkos.sessions.filter')
  const filter = sessionFilters.find((one) => one === stored) ?? 'active'
  const scroller = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<ReadonlyMap<string, Session>>()
  const toFirstRow = () => scroller.current?.querySelector<HTMLElement>('a, [data-row]')?.focus()
  return (
    <section
      aria-label={text.sessions.heading}
      className="flex min-h-0 flex-1 flex-col border-t border-line pt-1.5"
    >
      <div className="flex items-center gap-1 px-2 pb-1">
        <SearchBox value={query} onChange={setQuery} onDown={toFirstRow} />
        <FilterMenu
          filter={filter}
          onChange={(next) => {
            setStored(next === 'active' ? undefined : next)
            setSelected(undefined)
          }}
          onSelect={() => setSelected(new Map())}
        />
      </div>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-2">
        {query.trim() === '' ? (
          <div className="px-2">
            <SessionList
              key={filter}
              filter={filter}
              scroller={scroller}
              selection={
                selected && {
                  ids: new Set(selected.keys()),
                  toggle: (session) => setSelected(toggled(selected, session)),
                }
              }
            />
          </div>
        ) : (
          <SearchResults query={query} />
        )}
      </div>
      {selected && (
        <BulkBar
          selected={[...selected.values()]}
          filter={filter}
          onSelect={(sessions) => setSelected(new Map(sessions.map((one) => [one.id, one])))}
          onDone={() => setSelected(undefined)}
        />
      )}
    </section>
  )
}

function toggled(selected: ReadonlyMap<string, Session>, session: Session): ReadonlyMap<string, Session> {
  const next = new Map(selected)
  if (!next.delete(session.id)) next.set(session.id, session)
  return next
}

interface SearchBoxProps {
  value: string
  onChange: (value: string) => void
  onDown: () => void
}

function SearchBox({ value, onChange, onDown }: SearchBoxProps) {
  return (
    <div className="relative min-w-0 flex-1">
      <Search aria-hidden size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
      <input
        type="search"
        data-shortcut="search"
        aria-label={text.sessions.search}
        placeholder={text.sessions.searchPlaceholder}
        value={value}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault()
            event.stopPropagation()
            onChange('')
          } else if (event.key === 'ArrowDown') {
            event.preventDefault()
            onDown()
          }
        }}
        className="h-8 w-full rounded-md border border-field bg-card pr-7 pl-8 text-sm placeholder:text-faint max-md:h-10 [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={text.sessions.clearSearch}
          onClick={() => onChange('')}
          className="absolute top-1/2 right-1 flex size-6 -translate-y-1/2 items-center justify-center rounded text-faint hover:text-text"
        >
          <X aria-hidden size={14} />
        </button>
      )}
    </div>
  )
}

function FilterMenu({
  filter,
  onChange,
  onSelect,
}: {
  filter: SessionFilter
  onChange: (filter: SessionFilter) => void
  onSelect: () => void
}) {
  const { filters } = text.sessions
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`${text.sessions.filter}. ${text.sessions.filterNow(filters[filter])}`}
          title={text.sessions.filterNow(filters[filter])}
          className={cx(
            'flex size-8 max-md:size-10 shrink-0 items-center justify-center rounded-md hover:bg-hover',
            filter === 'active' ? 'text-soft' : 'bg-hover text-text',
          )}
        >
          <ListFilter aria-hidden size={16} />
        </button>
      }
    >
      <MenuChoice
        label={text.sessions.filter}
        value={filter}
        onChange={(value) => onChange(sessionFilters.find((one) => one === value) ?? 'active')}
        options={sessionFilters.map((value) => ({ value, label: filters[value] }))}
      />
      <MenuSeparator />
      <MenuItem icon={ListChecks} onSelect={onSelect}>
        {text.sessions.startSelecting}
      </MenuItem>
    </Menu>
  )
}
