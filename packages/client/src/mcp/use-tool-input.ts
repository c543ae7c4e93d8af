import {
  draftFrom,
  type FormDraft,
  type FormField,
  formFields,
  initialDraft,
  isWholeForm,
  readForm,
  valueFault,
} from '@dorkos/shared'
import { useMemo, useState } from 'react'
import { text } from '../text/page-text.ts'
import { readInputJson } from './read-json.ts'

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
