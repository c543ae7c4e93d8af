/** What differs between two JSON values, for people: one entry for each place. */
import { isRecord } from '@dorkos/processes'
import { cutText } from './clean-text.ts'

export interface JsonDifference {
  /** As in `inputSchema.properties.path.description` or `tags[2]`. */
  path: string
  /** A text as it is, anything else as JSON; undefined where there was nothing. Long ones are cut around the first difference. */
  before: string | undefined
  after: string | undefined
}

const MAX_DIFFERENCES = 100
const MAX_EXCERPT = 1_000
/** Shown before the first difference of two long texts. */
const CONTEXT = 200
const MAX_PATH = 300

/** At most 100; a last entry says how many more there are. Both values have to be of bounded depth. */
export function jsonDifferences(before: unknown, after: unknown): JsonDifference[] {
  const found: JsonDifference[] = []
  let more = 0
  collect(before, after, '', (difference) => {
    if (found.length < MAX_DIFFERENCES) found.push(difference())
    else more++
  })
  if (more > 0) found.push({ path: '…', before: undefined, after: `${more} more differences` })
  return found
}

function collect(
  before: unknown,
  after: unknown,
  path: string,
  report: (difference: () => JsonDifference) => void,
): void {
  if (Object.is(before, after)) return
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    for (const key of [...keys].sort())
      collect(own(before, key), own(after, key), `${path}${step(key, path)}`, report)
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      collect(before[index], after[index], `${path}[${index}]`, report)
  } else {
    report(() => ({ path: cutText(path, MAX_PATH), ...excerpts(textOf(before), textOf(after)) }))
  }
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function step(key: string, path: string): string {
  if (!/^[\w$-]+$/.test(key)) return `[${JSON.stringify(key)}]`
  return path === '' ? key : `.${key}`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function excerpts(
  before: string | undefined,
  after: string | undefined,
): { before: string | undefined; after: string | undefined } {
  const start = Math.max(0, commonLength(before ?? '', after ?? '') - CONTEXT)
  return { before: excerpt(before, start), after: excerpt(after, start) }
}

function excerpt(text: string | undefined, start: number): string | undefined {
  if (text === undefined || text.length <= MAX_EXCERPT) return text
  const from = isLowSurrogate(text, start) ? start + 1 : start
  return cutText(from === 0 ? text : `…${text.slice(from)}`, MAX_EXCERPT)
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff
}

function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let index = 0
  while (index < end && a.charCodeAt(index) === b.charCodeAt(index)) index++
  return index
}
