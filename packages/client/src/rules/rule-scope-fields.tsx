import type { RuleScope } from '@dorkos/shared'
import { useSessions } from '../live/use-live.ts'
import { useSessionName } from '../queries/use-names.ts'
import { useWorkspaces } from '../queries/workspaces.ts'
import { sessionTitle } from '../sessions/session-title.ts'
import { text } from '../text/page-text.ts'
import { Field, Select } from '../ui/field.tsx'
import type { RuleDraft } from './rule-draft.ts'

const kinds: readonly RuleScope['kind'][] = ['everywhere', 'workspace', 'session']

interface RuleScopeFieldsProps {
  draft: RuleDraft
  setDraft: (draft: RuleDraft) => void
  fault: string | undefined
}

/** Where a rule holds: everywhere, in a workspace, or in a session. */
export function RuleScopeFields({ draft, setDraft, fault }: RuleScopeFieldsProps) {
  const t = text.rules
  return (
    <>
      <Field label={t.fields.scope}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.scope}
            onChange={({ target }) =>
              setDraft({ ...draft, scope: kinds.find((kind) => kind === target.value) ?? draft.scope })
            }
          >
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {t.scopeChoices[kind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.scope === 'workspace' && (
        <Chooser
          label={t.fields.workspace}
          fault={fault}
          value={draft.workspaceId}
          options={useWorkspaceOptions}
          onChange={(workspaceId) => setDraft({ ...draft, workspaceId })}
        />
      )}
      {draft.scope === 'session' && (
        <Chooser
          label={t.fields.session}
          fault={fault}
          value={draft.sessionId}
          options={useSessionOptions}
          onChange={(sessionId) => setDraft({ ...draft, sessionId })}
        />
      )}
    </>
  )
}

type Option = readonly [id: string, name: string]

function useWorkspaceOptions(current: string): Option[] {
  const known = useWorkspaces().map(({ id, name }): Option => [id, name])
  return current === '' || known.some(([id]) => id === current) ? known : [[current, current], ...known]
}

/** Those that the page knows, and the one that the rule has already. */
function useSessionOptions(current: string): Option[] {
  const known = useSessions().map((session): Option => [session.id, sessionTitle(session)])
  const name = useSessionName(current === '' ? (known[0]?.[0] ?? '') : current)
  return current === '' || known.some(([id]) => id === current) ? known : [[current, name], ...known]
}

interface ChooserProps {
  label: string
  fault: string | undefined
  value: string
  /** A hook that gives what there is to choose. */
  options: (current: string) => Option[]
  onChange: (id: string) => void
}

function Chooser({ label, fault, value, options: useOptions, onChange }: ChooserProps) {
  const options = useOptions(value)
  return (
    <Field label={label} fault={fault}>
      {(ids) => (
        <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{text.rules.choose}</option>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
