/** A session as a file to keep: its name, and its events as JSON. Markdown has a file of its own. */
import type { Session, StreamEvent } from '@dorkos/shared'

export { renderMarkdown } from './render-markdown.ts'

export type ExportFormat = 'markdown' | 'json'
type Events = Iterable<StreamEvent> | AsyncIterable<StreamEvent>

/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** Letters, digits, `.`, `_` and `-` only: safe on every system, in a header and in a shell. */
export function exportFileName(
  session: Pick<Session, 'id' | 'title' | 'first_prompt'>,
  format: ExportFormat,
): string {
  const words = (session.title ?? session.first_prompt ?? '').normalize('NFKD').replace(/\p{M}/gu, '')
  const safe = words
    .slice(0, 500)
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, 60)
    .replace(/^[-._]+|[-._]+$/g, '')
  const stem =
    safe === '' || reserved.test(safe.split('.')[0] ?? '') ? `session-${session.id.slice(0, 8)}` : safe
  return `${stem}.${format === 'markdown' ? 'md' : 'json'}`
}

/** One JSON document: the session, and its events as a list, one to a line. */
export async function* renderJson(session: Session, events: Events): AsyncGenerator<string> {
  yield `{"session":${JSON.stringify(session)},\n"events":[`
  let separator = '\n'
  for await (const event of events) {
    yield separator + JSON.stringify(event)
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** One event a line. */
export async function* renderJsonLines(events: Events): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`
}
