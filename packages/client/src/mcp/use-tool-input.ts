import { useMemo, useState } from 'react'
import { text } from '../text/page-text.ts'
import { schemaFault } from './schema-fault.ts'
import {
  draftFrom,
  draftOf,
  type FormDraft,
  readDraft,
  readJson,
  type SchemaField,
  schemaFields,
} from './schema-form.ts'

export interface ToolInput {
  /** Undefined where only JSON can say what the schema wants. */
  fields: readonly SchemaField[] | undefined
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
  const fields = useMemo(() => schemaFields(schema), [schema])
  const [way, setWayOnly] = useState<'form' | 'json'>(fields ? 'form' : 'json')
  const [draft, setDraft] = useState<FormDraft>(() => draftOf(fields ?? []))
  const [json, setJson] = useState('{}')
  const [misfit, setMisfit] = useState<string>()
  const read = readDraft(fields ?? [], draft)
  const ofJson = useMemo(() => readJson(json), [json])
  const jsonFault = useMemo(
    () => ('fault' in ofJson ? ofJson.fault : schemaFault(schema, ofJson.input)),
    [ofJson, schema],
  )
  const setWay = (next: 'form' | 'json') => {
    if (next === way || !fields) return
    if (next === 'json') setJson(JSON.stringify(read.input, undefined, 2))
    const fitting = next === 'form' && 'input' in ofJson ? draftFrom(fields, ofJson.input) : undefined
    if (next === 'form' && !fitting) return setMisfit(text.mcp.trying.doesNotFit)
    if (fitting) setDraft(fitting)
    setMisfit(undefined)
    setWayOnly(next)
  }
  const shownWay = fields ? way : 'json'
  const inputOfForm = Object.keys(read.faults).length === 0 ? read.input : undefined
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
    faults: read.faults,
    jsonFault,
    input:
      shownWay === 'form'
        ? inputOfForm
        : 'input' in ofJson && jsonFault === undefined
          ? ofJson.input
          : undefined,
    misfit,
  }
}
