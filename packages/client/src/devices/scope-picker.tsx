import type { Scope } from '@dorkos/shared'
import { scopes } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { Checkbox } from '../ui/field.tsx'
import { toggleScope } from './token-list.ts'

interface ScopePickerProps {
  /** Those that can be given. */
  own: readonly Scope[]
  chosen: readonly Scope[]
  onChange: (scopes: Scope[]) => void
}

/** What another device may do: never more than this one. */
export function ScopePicker({ own, chosen, onChange }: ScopePickerProps) {
  const t = text.devices
  return (
    <fieldset className="flex flex-col">
      <legend className="text-sm font-medium">{t.scopesTitle}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {scopes
          .filter((scope) => own.includes(scope))
          .map((scope) => (
            <Checkbox
              key={scope}
              label={t.scopes[scope].name}
              hint={scope === 'read' ? `${t.scopes.read.means} ${t.readAlways}` : t.scopes[scope].means}
              checked={chosen.includes(scope)}
              disabled={scope === 'read'}
              onChange={({ target }) => onChange(toggleScope(chosen, scope, target.checked))}
            />
          ))}
      </div>
      <p className="text-xs text-soft">{t.scopesHint}</p>
    </fieldset>
  )
}
