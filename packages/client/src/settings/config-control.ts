/** From the JSON Schema of a key to the control that sets it, and between what people type and values. */
import { text } from '../text/page-text.ts'

export type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | {
      readonly kind: 'number'
      readonly whole: boolean
      readonly min: number | undefined
      readonly max: number | undefined
    }
  | { readonly kind: 'text'; readonly required: boolean; readonly longest: number | undefined }
  | { readonly kind: 'list' }
  /** Anything else, and what this page does not know. */
  | { readonly kind: 'json'; readonly shape: 'array' | 'object' | undefined }

export function controlOf(schema: unknown): Control {
  if (typeof schema !== 'object' || schema === null) return { kind: 'json', shape: undefined }
  const given = schema as Record<string, unknown>
  if (Array.isArray(given.enum) && given.enum.every((option) => typeof option === 'string'))
    return { kind: 'choice', options: given.enum }
  switch (given.type) {
    case 'boolean':
      return { kind: 'switch' }
    case 'integer':
    case 'number':
      return {
        kind: 'number',
        whole: given.type === 'integer',
        min: bound(given.minimum, Number.MIN_SAFE_INTEGER),
        max: bound(given.maximum, Number.MAX_SAFE_INTEGER),
      }
    case 'string':
      return { kind: 'text', required: (number(given.minLength) ?? 0) > 0, longest: number(given.maxLength) }
    case 'array':
      return isText(given.items) ? { kind: 'list' } : { kind: 'json', shape: 'array' }
    case 'object':
      return { kind: 'json', shape: 'object' }
    default:
      return { kind: 'json', shape: undefined }
  }
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Schemas carry the bounds of safe integers where there are none. */
function bound(value: unknown, none: number): number | undefined {
  return value === none ? undefined : number(value)
}

function isText(items: unknown): boolean {
  return (
    typeof items === 'object' &&
    items !== null &&
    'type' in items &&
    items.type === 'string' &&
    !('enum' in items)
  )
}

/** A value as its control shows it for editing. */
export function toDraft(control: Control, value: unknown): string {
  if (value === undefined) return ''
  if (control.kind === 'list' && Array.isArray(value)) return value.map(String).join('\n')
  if (control.kind === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export type Drafted = { readonly value: unknown } | { readonly fault: string }

/** What was typed as a value, or why it is none. The server looks at it again. */
export function fromDraft(control: Control, draft: string): Drafted {
  switch (control.kind) {
    case 'switch':
      return { value: draft === 'true' }
    case 'choice':
      return { value: draft }
    case 'number':
      return numberOf(control, draft)
    case 'text':
      return textOf(control, draft)
    case 'list':
      return {
        value: draft
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      }
    case 'json':
      return jsonOf(control, draft)
  }
}

function numberOf(control: Extract<Control, { kind: 'number' }>, draft: string): Drafted {
  const t = text.settings
  const typed = draft.trim().replace(/^(-?\d*),(\d+)$/, '$1.$2')
  const value = typed === '' ? Number.NaN : Number(typed)
  if (!Number.isFinite(value)) return { fault: t.faultNumber }
  if (control.whole && !Number.isInteger(value)) return { fault: t.faultWhole }
  const { min, max } = control
  if ((min !== undefined && value < min) || (max !== undefined && value > max))
    return { fault: t.faultLimits(limitWords(control) ?? '') }
  return { value }
}

function textOf(control: Extract<Control, { kind: 'text' }>, draft: string): Drafted {
  const value = draft.trim()
  if (control.required && value === '') return { fault: text.settings.faultEmpty }
  if (control.longest !== undefined && value.length > control.longest)
    return { fault: text.settings.faultLong(control.longest) }
  return { value }
}

function jsonOf({ shape }: Extract<Control, { kind: 'json' }>, draft: string): Drafted {
  const t = text.settings
  if (draft.trim() === '') return { fault: t.faultEmpty }
  try {
    const value: unknown = JSON.parse(draft)
    const found = Array.isArray(value)
      ? 'array'
      : typeof value === 'object' && value !== null
        ? 'object'
        : undefined
    return shape !== undefined && found !== shape ? { fault: t.faultShape[shape] } : { value }
  } catch (error) {
    return { fault: t.faultJson(error instanceof Error ? error.message : '') }
  }
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
  const shown = (value: number) => value.toLocaleString('en')
  if (min !== undefined && max !== undefined) return t.limits(shown(min), shown(max))
  if (min !== undefined) return t.atLeast(shown(min))
  return max === undefined ? undefined : t.atMost(shown(max))
}

/** A value in a few words, for "Default: …". */
export function valueWords(value: unknown): string {
  const t = text.settings
  if (value === undefined) return t.notSet
  if (value === true) return t.on
  if (value === false) return t.off
  if (typeof value === 'number')
    return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 10 })
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length === 0) return t.none
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return t.none
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return cut(value.join(', '))
  return cut(JSON.stringify(value))
}

function cut(words: string): string {
  return words.length > 120 ? `${words.slice(0, 119)}…` : words
}
