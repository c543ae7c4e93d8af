import { useEffect, useState } from 'react'
import { useDebounced } from '../sessions/use-debounced.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, Select } from '../ui/field.tsx'
import { type AuditFilter, decisions, isFiltered, isSessionId, noFilter } from './audit-filter.ts'
import { actionName, knownActions } from './audit-words.ts'

interface AuditFiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const t = text.audit
  const badId = filter.session !== '' && !isSessionId(filter.session)
  const actions =
    knownActions.includes(filter.action) || filter.action === ''
      ? knownActions
      : [filter.action, ...knownActions]
  return (
    <section
      aria-label={t.filters}
      className="grid grid-cols-2 items-start gap-3 *:first:col-span-2 *:nth-2:col-span-2 lg:*:first:col-span-1 lg:*:nth-2:col-span-1 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]"
    >
      <TypedField
        label={t.session}
        hint={t.sessionHint}
        fault={badId ? t.sessionFault : undefined}
        value={filter.session}
        onChange={(session) => onChange({ ...filter, session })}
      />
      <TypedField
        label={t.tool}
        placeholder={t.toolPlaceholder}
        value={filter.tool}
        onChange={(tool) => onChange({ ...filter, tool })}
      />
      <Field label={t.action}>
        {(ids) => (
          <Select
            {...ids}
            value={filter.decision ? 'tool_decided' : filter.action}
            onChange={({ target }) => onChange({ ...filter, action: target.value, decision: undefined })}
          >
            <option value="">{t.anyAction}</option>
            {actions.map((action) => (
              <option key={action} value={action}>
                {actionName(action)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.decision}>
        {(ids) => (
          <Select
            {...ids}
            value={filter.decision ?? ''}
            onChange={({ target }) => {
              const decision = decisions.find((one) => one === target.value)
              onChange({ ...filter, decision, action: '' })
            }}
          >
            <option value="">{t.anyDecision}</option>
            {decisions.map((decision) => (
              <option key={decision} value={decision}>
                {t.decisions[decision]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isFiltered(filter) && (
        <Button size="sm" variant="ghost" className="justify-self-start" onClick={() => onChange(noFilter)}>
          {t.clear}
        </Button>
      )}
    </section>
  )
}

interface TypedFieldProps {
  label: string
  hint?: string
  fault?: string | undefined
  placeholder?: string
  value: string
  onChange: (value: string) => void
}

const restMs = 350

/** Asks the server when typing rests, not for each letter. */
function TypedField({ label, hint, fault, placeholder, value, onChange }: TypedFieldProps) {
  const [typed, setTyped] = useState(value)
  const rested = useDebounced(typed, restMs)
  useEffect(() => setTyped(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed is told.
  useEffect(() => {
    if (rested === typed && rested.trim() !== value) onChange(rested.trim())
  }, [rested])
  return (
    <Field label={label} {...(hint !== undefined && { hint })} fault={fault}>
      {(ids) => (
        <Input
          {...ids}
          type="search"
          value={typed}
          placeholder={placeholder}
          spellCheck={false}
          autoCapitalize="off"
          onChange={({ target }) => setTyped(target.value)}
          className="font-mono"
        />
      )}
    </Field>
  )
}
