import type { FormField } from '@dorkos/shared'
import { useId } from 'react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Checkbox, Field, Input, Select, Textarea } from '../ui/field.tsx'

interface FormFieldRowProps {
  field: FormField
  value: string
  fault: string | undefined
  disabled?: boolean
  onChange: (value: string) => void
}

const inputTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const
const plain = { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off', autoComplete: 'off' } as const

/** One field of a form that somebody else's schema asks for. */
export function FormFieldRow(props: FormFieldRowProps) {
  const { field, value, fault, disabled, onChange } = props
  if (field.kind === 'choices') return <Choices {...props} field={field} />
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  return (
    <Field label={labelOf(field)} hint={hintOf(field)} fault={fault}>
      {(ids) => {
        const common = { ...ids, disabled, value, 'aria-required': field.required, onChange: change }
        if (field.kind === 'boolean' || field.kind === 'choice')
          return (
            <Select {...common}>
              <option value="">{field.required ? text.form.choose : text.form.notGiven}</option>
              <Options field={field} />
            </Select>
          )
        const isCode = field.kind === 'json' || field.kind === 'list'
        const isLong = field.kind === 'text' && (field.multiline || value.includes('\n'))
        if (isCode || isLong)
          return (
            <Textarea
              {...common}
              {...plain}
              rows={isCode ? 3 : 4}
              dir={isCode ? 'ltr' : 'auto'}
              className={isCode ? 'font-mono' : ''}
            />
          )
        return <Line field={field} common={{ ...common, ...plain }} />
      }}
    </Field>
  )
}

function Line({ field, common }: { field: FormField; common: { value: string } }) {
  const type = field.kind === 'text' && field.format ? inputTypes[field.format] : 'text'
  const mode = field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined
  const value = type === 'datetime-local' ? localTime(common.value) : common.value
  return <Input {...common} value={value} type={type} inputMode={mode} dir="auto" />
}

/** A time as the browser's own field takes it, `2026-02-28T10:00`. */
function localTime(written: string): string {
  const time = new Date(written)
  if (Number.isNaN(time.getTime())) return written
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Options({ field }: { field: FormField }) {
  if (field.kind !== 'choice')
    return (
      <>
        <option value="true">{text.form.yes}</option>
        <option value="false">{text.form.no}</option>
      </>
    )
  return field.options.map(({ label }, index) => (
    <option key={String(index)} value={String(index)}>
      {withVisibleControls(label)}
    </option>
  ))
}

type ChoicesProps = FormFieldRowProps & { field: Extract<FormField, { kind: 'choices' }> }

function Choices({ field, value, fault, disabled, onChange }: ChoicesProps) {
  const id = useId()
  const chosen = value === '' ? [] : value.split(',')
  const hint = hintOf(field)
  return (
    <fieldset disabled={disabled} aria-describedby={`${id}-hint ${id}-fault`} className="min-w-0">
      <legend className="text-sm font-medium">{labelOf(field)}</legend>
      {field.options.map(({ label }, index) => {
        const optionValue = String(index)
        return (
          <Checkbox
            key={optionValue}
            label={withVisibleControls(label)}
            checked={chosen.includes(optionValue)}
            aria-invalid={fault ? true : undefined}
            onChange={(event) =>
              onChange(
                (event.target.checked
                  ? [...chosen, optionValue]
                  : chosen.filter((one) => one !== optionValue)
                ).join(','),
              )
            }
          />
        )
      })}
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

function labelOf({ label, required }: FormField): string {
  const shown = withVisibleControls(label)
  return required ? `${shown} (${text.form.required})` : shown
}

function hintOf(field: FormField): string {
  const shape =
    field.kind === 'json'
      ? text.form.json[field.expects ?? 'any']
      : field.kind === 'list'
        ? text.form.list
        : ''
  return [withVisibleControls(field.description ?? ''), shape].filter(Boolean).join(' ')
}
