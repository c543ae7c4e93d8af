/** A line of the audit log in words. */
import { type AuditEntry, type Decider, isRecord } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import type { Tone } from '../ui/notice.tsx'

const names: Readonly<Record<string, string>> = text.audit.actions

export const knownActions: readonly string[] = Object.keys(names)

/** A server of another version knows other actions: those are shown by their own name, as words. */
export function actionName(action: string): string {
  if (Object.hasOwn(names, action)) return names[action] ?? action
  const words = action.replaceAll('_', ' ').trim()
  return words === '' ? action : words[0]?.toUpperCase() + words.slice(1)
}

export function deciderWords(decider: Decider): string {
  const t = text.audit
  if (decider.kind === 'hook' && decider.hook_name !== undefined) return t.hookNamed(decider.hook_name)
  if (decider.kind !== 'person') return t.deciders[decider.kind]
  return decider.token_name ?? t.deciders.person
}

export interface Outcome {
  readonly words: string
  readonly tone: Tone
}

/** How it went, where the line says so. */
export function outcomeOf(entry: Pick<AuditEntry, 'decision' | 'detail' | 'action'>): Outcome | undefined {
  const { decision, detail } = entry
  const t = text.audit
  if (decision === 'allow') return { words: t.decisions.allow, tone: 'ok' }
  if (decision === 'deny') return { words: t.decisions.deny, tone: 'denied' }
  if (decision === 'ask') return { words: t.decisions.ask, tone: 'neutral' }
  if (entry.action === 'message_settled' && isRecord(detail)) {
    const words: Readonly<Record<string, string>> = t.settled
    const became = words[String(detail.action)]
    if (became !== undefined) return { words: became, tone: 'neutral' }
  }
  const failed =
    typeof detail === 'object' && detail !== null && 'is_error' in detail && detail.is_error === true
  return failed ? { words: t.failed, tone: 'danger' } : undefined
}

const subjects = ['command', 'file_path', 'path', 'url', 'pattern', 'query', 'description', 'name'] as const
/** What changes by people are about. Ids say nothing to a reader: they are in the open line. */
const objects = ['name', 'server', 'label', 'tool', 'cwd', 'path'] as const
const longest = 200

/** What it was about, in one line: the command, the file, the name. */
export function auditSubject({
  input,
  subject,
  detail,
}: Pick<AuditEntry, 'input' | 'subject' | 'detail'>): string | undefined {
  return subjectIn(input, subjects) ?? subject ?? changedKeys(detail) ?? chosenIn(detail) ?? objectIn(detail)
}

/** `calendar: shared`: what was chosen for it. */
function chosenIn(detail: unknown): string | undefined {
  if (!isRecord(detail) || typeof detail.server !== 'string' || typeof detail.sharing !== 'string')
    return undefined
  const words: Readonly<Record<string, string>> = text.audit.sharings
  return `${detail.server}: ${words[detail.sharing] ?? detail.sharing}`
}

/** `GitHub: search_code`: a tool of a server says both. */
function objectIn(detail: unknown): string | undefined {
  const found = subjectIn(detail, objects)
  if (!isRecord(detail) || typeof detail.server !== 'string' || typeof detail.tool !== 'string') return found
  return `${detail.server}: ${detail.tool}`
}

/** Of a change of settings. */
function changedKeys(detail: unknown): string | undefined {
  if (!isRecord(detail) || !isRecord(detail.set)) return undefined
  return Object.keys(detail.set).join(', ').slice(0, longest) || undefined
}

function subjectIn(value: unknown, names: readonly string[]): string | undefined {
  if (!isRecord(value)) return undefined
  for (const name of names) {
    const found = value[name]
    if (typeof found === 'string' && found.trim() !== '') return found.slice(0, longest)
  }
  return undefined
}
