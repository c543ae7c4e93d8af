/** Holds values against the schema, and says what is wrong in sentences. */
import { configSchema } from '@dorkos/shared'
import { z } from 'zod'
import { configKeys } from './config-keys.ts'
import { describeSchema, type KeySchema, schemaAt } from './describe-schema.ts'

export interface SchemaFault {
  path: PropertyKey[]
  message: string
  /** The key itself is at fault, not its value. */
  unknownKey: boolean
}

const wholeSchema = z.toJSONSchema(configSchema, { io: 'input' }) as KeySchema

/** Every fault of a whole configuration (without its defaults). */
export function findFaults(value: unknown): SchemaFault[] {
  const parsed = configSchema.safeParse(value)
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => toFaults(issue, value))
}

function toFaults(issue: z.core.$ZodIssue, root: unknown): SchemaFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => unknownKey([...issue.path, name]))
  }
  const name = pathText(issue.path)
  const schema = schemaAt(wholeSchema, issue.path)
  const right = schema ? `; it must be ${describeSchema(schema)}` : `: ${issue.message}`
  const value = lookUp(root, issue.path)
  const message = value === undefined ? `${name} is missing${right}` : `${name} is ${shown(value)}${right}`
  return [{ path: issue.path, message, unknownKey: false }]
}

function unknownKey(path: PropertyKey[]): SchemaFault {
  const name = pathText(path)
  return { path, message: `there is no key ${name}${suggestion(path)}`, unknownKey: true }
}

function suggestion(path: PropertyKey[]): string {
  const name = pathText(path)
  const dotted = path.length === 1 && configKeys.find((key) => key.path === path[0] && key.steps.length > 1)
  if (dotted) return `; write it as an object in an object: { "${dotted.steps.join('": { "')}": …`
  const near = configKeys
    .map((key) => ({ path: key.path, distance: editDistance(name.toLowerCase(), key.path.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  if (!near || near.distance > Math.max(2, Math.floor(name.length / 4))) return ''
  return `; did you mean ${near.path}?`
}

/** `rules[0].effect` */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

/** A value in a message: as JSON, and cut. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function lookUp(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (here, step) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, step)
        ? (here as Record<PropertyKey, unknown>)[step]
        : undefined,
    root,
  )
}

/** Keys come from a file: only short ones are compared. */
function editDistance(a: string, b: string): number {
  if (a.length > 60) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
