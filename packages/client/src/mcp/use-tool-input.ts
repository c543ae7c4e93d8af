import {
  draftFrom,
  type FormDraft,
  type FormField,
  formFields,
  initialDraft,
  isRecord,
  isWholeForm,
  readForm,
  valueFault,
} from '@dorkos/shared'
import { useMemo, useState } from 'react'
import { text } from '../text/page-text.ts'

export interface ToolInput {
  /** Undefined where only JSON can say what the schema wants. */
  fields: readonly FormField[] | undefined
  way: 'form' | 'json'
  setWay(way: 'form' | 'json'): void
  draft: FormDraft
  setField(name: string, value: string): void
  json: string
  setJson(json: string): void
  /** Faults by field, and of the JSON. */
  faults: Readonly<Record<string, string>>
  jsonFault: string | undefined
  /** Undefined while something is wrong. */
  input: Record<string, unknown> | undefined
  /** Why the form cannot show what stands in the JSON. */
  misfit: string | undefined
}

/** What is filled in for a tool, as a form or as JSON; changing the way takes it along. */
export function useToolInput(schema: unknown): ToolInput {
  const fields = useMemo(() => (isWholeForm(schema) ? formFields(schema) : undefined), [schema])
  const [way, setWayOnly] = useState<'form' | 'json'>(fields ? 'form' : 'json')
  const [draft, setDraft] = useState<FormDraft>(() => initialDraft(fields ?? []))
  const [json, setJson] = useState('{}')
  const [misfit, setMisfit] = useState<string>()
  const { values, faults } = readForm(fields ?? [], draft)
  const ofJson = useMemo(() => readInputJson(json), [json])
  const jsonFault = useMemo(() => {
    if ('fault' in ofJson) return ofJson.fault
    const fault = valueFault(schema, ofJson.input)
    return fault && text.form.fault(fault)
  }, [ofJson, schema])
  const setWay = (next: 'form' | 'json') => {
    if (next === way || !fields) return
    if (next === 'json') setJson(JSON.stringify(values, undefined, 2))
    const fitting = next === 'form' && 'input' in ofJson ? draftFrom(fields, ofJson.input) : undefined
    if (next === 'form' && !fitting) return setMisfit(text.mcp.trying.doesNotFit)
    if (fitting) setDraft(fitting)
    setMisfit(undefined)
    setWayOnly(next)
  }
  const shownWay = fields ? way : 'json'
  const ofForm = Object.keys(faults).length === 0 ? values : undefined
  return {
    fields,
    way: shownWay,
    setWay,
    draft,
    setField: (name, value) => setDraft({ ...draft, [name]: value }),
    json,
    setJson: (next) => {
      setMisfit(undefined)
      setJson(next)
    },
    faults: Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, text.form.fault(fault)])),
    jsonFault,
    input: shownWay === 'form' ? ofForm : 'input' in ofJson && !jsonFault ? ofJson.input : undefined,
    misfit,
  }
}

/** The whole input of a tool, written as JSON: an object, or nothing at all for an empty one. */
export function readInputJson(written: string): { input: Record<string, unknown> } | { fault: string } {
  if (written.trim() === '') return { input: {} }
  try {
    const value: unknown = JSON.parse(written)
    return isRecord(value) ? { input: value } : { fault: text.form.faults.object() }
  } catch (error) {
    return { fault: lineFault(written, String(error)) }
  }
}

/** Browsers state the place of the fault in their own words, where they state it. */
function lineFault(written: string, error: string): string {
  const at = /\bposition (\d+)/.exec(error)?.[1]
  if (at === undefined) return text.form.faults.json()
  return text.mcp.trying.jsonLine(written.slice(0, Number(at)).split('\n').length)
}
