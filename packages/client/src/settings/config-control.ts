/** From the JSON Schema of a key to the field that sets it, between what people type and values, and values in words. Pure. */
import { type FormField, formField, numberOf, readField } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { formatNumber, formatPlainNumber } from '../ui/format.ts'

/** A text without a least length and a list can be empty; anything else is set, or taken out of the file. */
export function settingField(path: string, schema: unknown): FormField {
  const field = formField(path, schema, { required: true })
  const mayBeEmpty =
    field.kind === 'list' || (field.kind === 'text' && (numberOf(field.shape.minLength) ?? 0) === 0)
  return { ...field, required: !mayBeEmpty }
}

/** What was typed as a value, or why it is none. The server checks it again. */
export function readSetting(field: FormField, draft: string): { value: unknown } | { fault: string } {
  const read = readField(field, draft.trim())
  if ('fault' in read)
    return { fault: read.fault.code === 'required' ? text.settings.faultEmpty : text.form.fault(read.fault) }
  if (read.value !== undefined) return read
  return { value: field.kind === 'list' ? [] : '' }
}

/** `From 1 to 200.`; undefined where there are no limits. */
export function limitWords({
  min,
  max,
}: {
  min: number | undefined
  max: number | undefined
}): string | undefined {
  const t = text.settings
  if (min !== undefined && max !== undefined) return t.limits(formatNumber(min), formatNumber(max))
  if (min !== undefined) return t.atLeast(formatNumber(min))
  return max === undefined ? undefined : t.atMost(formatNumber(max))
}

/** A value in a few words, for "Default: …". */
export function valueWords(value: unknown): string {
  const t = text.settings
  if (value === undefined) return t.notSet
  if (value === true) return t.on
  if (value === false) return t.off
  if (typeof value === 'number') return formatPlainNumber(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length === 0) return t.none
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return t.none
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return cut(value.join(', '))
  return cut(JSON.stringify(value))
}

function cut(words: string): string {
  return words.length > 120 ? `${words.slice(0, 119)}…` : words
}
