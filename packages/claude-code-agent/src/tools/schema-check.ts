/** What every kind of schema is compiled to, and how its findings are reported. */

/** A JSON Schema as plain JSON. */
export type JsonObject = Record<string, unknown>

export interface SchemaIssue {
  /** Where, such as `items[0].name`; empty for the value as a whole. */
  path: string
  message: string
}

export type SchemaCheck = { ok: true; value: unknown } | { ok: false; issues: SchemaIssue[] }

/** Which side of a transforming schema is meant: what comes in, or what comes out. */
export type SchemaSide = 'input' | 'output'

export interface CompiledSchema {
  /** A promise only where a schema library has to be loaded first; the same object each time. */
  jsonSchema(): JsonObject | Promise<JsonObject>
  /** A promise only on a first call that loads a validator, or where a schema is itself asynchronous. May reject. */
  check(value: unknown): SchemaCheck | Promise<SchemaCheck>
}

export function failed(message: string, path = ''): SchemaCheck {
  return { ok: false, issues: [{ path, message }] }
}

/** Joins keys to `a.b[0].c`. */
export function pathText(keys: readonly PropertyKey[]): string {
  let text = ''
  for (const key of keys) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text ? `.${String(key)}` : String(key)
  }
  return text
}

const MAX_ISSUES = 20

/** One line per issue, with a bound: a model has no use for a thousand of them. */
export function issueLines(issues: readonly SchemaIssue[]): string {
  const lines = issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `- ${path ? `${path}: ` : ''}${message}`)
  if (issues.length > MAX_ISSUES) lines.push(`- and ${issues.length - MAX_ISSUES} more`)
  return lines.join('\n')
}
