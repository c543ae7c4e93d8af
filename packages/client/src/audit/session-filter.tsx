import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { api } from '../api.ts'
import { useSessions } from '../live/use-live.ts'
import { useDebounced } from '../sessions/use-debounced.ts'
import { text } from '../text/page-text.ts'
import { Field, Input } from '../ui/field.tsx'
import { chosenSession, leadsToSession, type SessionChoice, sessionChoices } from './session-choice.ts'

const mostOffered = 200
const restMs = 600

interface SessionFilterProps {
  /** The id in the address; empty for none. */
  value: string
  onChange: (id: string) => void
}

/** One session, by its title; by its id where the list has it not, such as one that was deleted. */
export function AuditSessionFilter({ value, onChange }: SessionFilterProps) {
  const t = text.audit
  const list = useId()
  const choices = useChoices()
  const shown = choices.find(({ id }) => id === value)?.label ?? value
  const [typed, setTyped] = useState(shown)
  // What this field reported last: anything else comes from a link, or from a line of the log.
  const reported = useRef(value)
  useEffect(() => {
    if (value !== '' || reported.current !== value) setTyped(shown)
    reported.current = value
  }, [value, shown])
  const type = (words: string) => {
    setTyped(words)
    const id = chosenSession(words, choices) ?? ''
    if (id === value) return
    reported.current = id
    onChange(id)
  }
  const isFault = typed.trim() !== '' && value === '' && !leadsToSession(typed, choices)
  const isBad = value !== '' && chosenSession(typed, choices) === undefined
  // Not while somebody types, on the way to one of them.
  const rests = useDebounced(typed, restMs) === typed
  const isUnchosen = typed.trim() !== '' && value === '' && rests
  const fault = isFault || isBad ? t.sessionFault : isUnchosen ? t.sessionUnchosen : undefined
  return (
    <Field label={t.session} hint={t.sessionHint} fault={fault}>
      {(ids) => (
        <>
          <Input
            {...ids}
            type="search"
            list={list}
            dir="auto"
            value={typed}
            placeholder={t.sessionPlaceholder}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => type(target.value)}
          />
          <datalist id={list}>
            {choices.map(({ id, label }) => (
              <option key={id} value={label} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

/** The newest of the server, archived ones too, and those that something happens in. */
function useChoices(): readonly SessionChoice[] {
  const live = useSessions()
  const { data } = useQuery({
    queryKey: ['audit-sessions'],
    queryFn: async ({ signal }) => {
      const [active, archived] = await Promise.all([
        api.listSessions({ query: { limit: mostOffered }, signal }),
        api.listSessions({ query: { limit: mostOffered, archived: 'true' }, signal }),
      ])
      return [...active.sessions, ...archived.sessions]
    },
    staleTime: 60_000,
  })
  return useMemo(() => {
    const known = new Map([...(data ?? []), ...live].map((session) => [session.id, session]))
    return sessionChoices([...known.values()])
  }, [data, live])
}
