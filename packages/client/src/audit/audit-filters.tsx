import { useEffect, useState } from 'react'
import { useWorkspaces } from '../queries/workspaces.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { useDebounced } from '../sessions/use-debounced.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, Select } from '../ui/field.tsx'
import { type AuditFilter, decisions, isFiltered, noFilter, spans } from './audit-filter.ts'
import { actionName, knownActions } from './audit-words.ts'
import { AuditSessionFilter } from './session-filter.tsx'

interface AuditFiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const t = text.audit
  const actions =
    knownActions.includes(filter.action) || filter.action === ''
      ? knownActions
      : [filter.action, ...knownActions]
  return (
    <section
      aria-label={t.filters}
      className="grid grid-cols-2 items-start gap-3 *:first:col-span-2 lg:*:first:col-span-1 lg:grid-cols-[1.5fr_1fr_1fr_1.5fr_1fr_1.2fr] *:min-w-0"
    >
      <AuditSessionFilter value={filter.session} onChange={(session) => onChange({ ...filter, session })} />
      <WorkspaceFilter
        value={filter.workspace}
        onChange={(workspace) => onChange({ ...filter, workspace })}
      />
      <TypedField
        label={t.tool}
        placeholder={t.toolPlaceholder}
        value={filter.tool}
        onChange={(tool) => onChange({ ...filter, tool })}
      />
      <Field label={t.action} hint={filter.decision && t.actionHint}>
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
      <Field label={t.since}>
        {(ids) => (
          <Select
            {...ids}
            value={filter.since ?? ''}
            onChange={({ target }) =>
              onChange({ ...filter, since: spans.find((span) => span === target.value) })
            }
          >
            <option value="">{t.anySince}</option>
            {spans.map((span) => (
              <option key={span} value={span}>
                {t.spans[span]}
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

/** One that was removed stays in the log, and in links. */
function WorkspaceFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const t = text.audit
  const workspaces = useWorkspaces()
  const isKnown = value === '' || workspaces.some(({ id }) => id === value)
  return (
    <Field label={t.workspace}>
      {(ids) => (
        <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{t.anyWorkspace}</option>
          {!isKnown && <option value={value}>{value}</option>}
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {withVisibleControls(name)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

interface TypedFieldProps {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
}

const restMs = 350

/** Asks the server when typing rests, not for each letter. */
function TypedField({ label, placeholder, value, onChange }: TypedFieldProps) {
  const [typed, setTyped] = useState(value)
  const rested = useDebounced(typed, restMs)
  useEffect(() => setTyped(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed is reported.
  useEffect(() => {
    if (rested === typed && rested.trim() !== value) onChange(rested.trim())
  }, [rested])
  return (
    <Field label={label}>
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
