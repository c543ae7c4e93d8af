import { type FormField, fieldDraft } from '@dorkos/shared'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Input, Select, Textarea } from '../ui/field.tsx'
import { Switch } from '../ui/switch.tsx'
import { limitWords, readSetting } from './config-control.ts'
import { type ConfigEntry, fileValue, keyName } from './config-keys.ts'
import type { useConfigChange } from './use-config-change.ts'

interface ConfigFieldProps {
  entry: ConfigEntry
  field: FormField
  change: ReturnType<typeof useConfigChange>
}

/** The control for a key. Switches and choices are taken at once; what is typed waits for a button or Enter. */
export function ConfigField({ entry, field, change }: ConfigFieldProps) {
  const name = keyName(entry.path)
  const value = fileValue(entry)
  if (field.kind === 'boolean')
    return (
      <div className="flex min-h-9 items-center">
        <Switch
          label={name}
          checked={value === true}
          disabled={change.busy}
          onChange={(checked) => void change.change(checked)}
        />
      </div>
    )
  if (field.kind === 'choice')
    return (
      <Select
        aria-label={name}
        value={fieldDraft(field, value) ?? ''}
        disabled={change.busy}
        onChange={({ target }) => void change.change(field.options[Number(target.value)]?.value)}
      >
        {value === undefined && <option value="">{text.settings.notSet}</option>}
        {field.options.map(({ label }, index) => (
          <option key={label} value={String(index)}>
            {label}
          </option>
        ))}
      </Select>
    )
  return <TypedField entry={entry} field={field} change={change} />
}

function TypedField({ entry, field, change }: ConfigFieldProps) {
  const t = text.settings
  const name = keyName(entry.path)
  const before = fieldDraft(field, fileValue(entry)) ?? ''
  const [draft, setDraft] = useState(before)
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  // Changed by a save, by another page, or in the file itself.
  useEffect(() => setDraft(before), [before])
  const edited = draft !== before
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!edited) return
    const drafted = readSetting(field, draft)
    if ('fault' in drafted) return change.setFault(drafted.fault)
    // An empty text is no value: it goes out of the file.
    const taken = await change.change(drafted.value === '' ? null : drafted.value)
    if (!taken) return
    // The button goes away with what it saved.
    box.current?.focus()
    setDraft(fieldDraft(field, drafted.value) ?? '')
  }
  const shared = {
    ref: box,
    'aria-label': field.kind === 'json' ? `${name} ${t.jsonLabel}` : name,
    'aria-invalid': change.fault !== undefined ? true : undefined,
    value: draft,
    readOnly: change.busy,
    spellCheck: false,
    autoCapitalize: 'off',
    onChange: ({ target }: { target: { value: string } }) => {
      setDraft(target.value)
      change.setFault(undefined)
    },
  }
  const hint = field.kind === 'list' ? t.listHint : field.kind === 'number' ? limitWords(field) : undefined
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-1.5">
      {field.kind === 'list' || field.kind === 'json' ? (
        <Textarea {...shared} rows={rowsOf(draft)} className="font-mono text-xs" dir="ltr" />
      ) : (
        <Input {...shared} placeholder={t.notSet} inputMode={field.kind === 'number' ? 'decimal' : 'text'} />
      )}
      {hint !== undefined && <p className="text-xs text-faint">{hint}</p>}
      {edited && (
        <div className="flex gap-2">
          <Button type="submit" size="sm" variant="primary" busy={change.busy} aria-label={t.saveLabel(name)}>
            {t.save}
          </Button>
          <Button
            size="sm"
            onClick={() => {
              setDraft(before)
              change.setFault(undefined)
            }}
          >
            {t.discard}
          </Button>
        </div>
      )}
    </form>
  )
}

function rowsOf(draft: string): number {
  return Math.min(16, Math.max(2, draft.split('\n').length + 1))
}
