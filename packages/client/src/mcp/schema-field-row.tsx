import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Field, Input, Select, Textarea } from '../ui/field.tsx'
import type { SchemaField } from './schema-form.ts'

interface SchemaFieldRowProps {
  field: SchemaField
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

const plain = { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off', autoComplete: 'off' } as const

/** One field of a tool's input. */
export function SchemaFieldRow({ field, value, fault, onChange }: SchemaFieldRowProps) {
  const words = text.mcp.form
  const label = withVisibleControls(field.label)
  return (
    <Field
      label={field.required ? `${label} (${words.required})` : label}
      hint={[field.description && withVisibleControls(field.description), jsonHint(field)]
        .filter(Boolean)
        .join(' ')}
      fault={fault}
    >
      {(ids) => {
        const common = { ...ids, value, 'aria-required': field.required }
        if (field.kind === 'boolean' || field.kind === 'choice')
          return (
            <Select {...common} onChange={(event) => onChange(event.target.value)}>
              <option value="">{words.notGiven}</option>
              <Options field={field} />
            </Select>
          )
        if (field.kind === 'json' || (field.kind === 'text' && (field.multiline || value.includes('\n'))))
          return (
            <Textarea
              {...common}
              {...plain}
              rows={field.kind === 'json' ? 3 : 4}
              dir={field.kind === 'json' ? 'ltr' : 'auto'}
              className={field.kind === 'json' ? 'font-mono' : ''}
              onChange={(event) => onChange(event.target.value)}
            />
          )
        return (
          <Input
            {...common}
            {...plain}
            dir="auto"
            inputMode={field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }}
    </Field>
  )
}

function Options({ field }: { field: SchemaField }) {
  const words = text.mcp.form
  if (field.kind !== 'choice')
    return (
      <>
        <option value="true">{words.yes}</option>
        <option value="false">{words.no}</option>
      </>
    )
  return field.values.map((value, index) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value)
    return (
      <option key={shown} value={String(index)}>
        {withVisibleControls(shown)}
      </option>
    )
  })
}

function jsonHint(field: SchemaField): string {
  if (field.kind !== 'json') return ''
  const words = text.mcp.form
  return field.expects === 'array'
    ? words.jsonList
    : field.expects === 'object'
      ? words.jsonObject
      : words.jsonAny
}
