import { useId } from 'react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Checkbox, Field, Input, Select, Textarea } from '../ui/field.tsx'
import type { FieldValue, FormField } from './form-fields.ts'

interface FormFieldRowProps {
  field: FormField
  value: FieldValue
  fault: string | undefined
  disabled: boolean
  onChange: (value: FieldValue) => void
}

const inputTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const

/** One field of a form that an MCP server sent. */
export function FormFieldRow({ field, value, fault, disabled, onChange }: FormFieldRowProps) {
  const label = withVisibleControls(field.label)
  const hint = field.description && withVisibleControls(field.description)
  if (field.kind === 'boolean')
    return (
      <Checkbox
        label={label}
        hint={hint}
        disabled={disabled}
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    )
  if (field.kind === 'choices')
    return (
      <Choices
        {...{ field, fault, disabled, onChange, label, hint }}
        chosen={Array.isArray(value) ? value : []}
      />
    )
  const written = typeof value === 'string' ? value : ''
  const t = text.approvals.form
  return (
    <Field
      label={field.required ? `${label} (${t.required})` : label}
      hint={field.kind === 'json' ? (hint ?? t.jsonHint) : hint}
      fault={fault}
    >
      {(ids) => {
        const common = { ...ids, disabled, value: written, 'aria-required': field.required }
        if (field.kind === 'choice')
          return (
            <Select {...common} onChange={(event) => onChange(event.target.value)}>
              <option value="">{t.choose}</option>
              {field.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {withVisibleControls(option.label)}
                </option>
              ))}
            </Select>
          )
        if (field.kind === 'json')
          return (
            <Textarea
              {...common}
              rows={3}
              className="font-mono"
              onChange={(event) => onChange(event.target.value)}
            />
          )
        const type = field.kind === 'text' && field.format ? inputTypes[field.format] : 'text'
        const mode = field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined
        return (
          <Input
            {...common}
            type={type}
            inputMode={mode}
            dir="auto"
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }}
    </Field>
  )
}

interface ChoicesProps {
  field: Extract<FormField, { kind: 'choices' }>
  chosen: string[]
  fault: string | undefined
  disabled: boolean
  onChange: (value: string[]) => void
  label: string
  hint: string | undefined
}

function Choices({ field, chosen, fault, disabled, onChange, label, hint }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset disabled={disabled} aria-describedby={`${id}-hint ${id}-fault`} className="min-w-0">
      <legend className="text-sm font-medium">
        {field.required ? `${label} (${text.approvals.form.required})` : label}
      </legend>
      {field.options.map(({ value, label: name }) => (
        <Checkbox
          key={value}
          label={withVisibleControls(name)}
          checked={chosen.includes(value)}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        />
      ))}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} role="alert" className="text-xs text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
