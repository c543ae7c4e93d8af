/** A session as a file to keep: its name, and its events as JSON. Markdown and HTML have files of their own. */
import type { Session, StreamEvent } from '@dorkos/shared'
import { base64Of, decoded } from './byte-source.ts'
import type { WholeOf } from './conversation-sections.ts'
import type { ResultPart } from './whole-result.ts'

const extensions = { markdown: 'md', json: 'json', html: 'html' } as const
export type ExportFormat = keyof typeof extensions
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
  return `${stem}.${extensions[format]}`
}

/** One JSON document: the session, and its events as a list, one to a line. */
export async function* renderJson(
  session: Session,
  events: Events,
  wholeOf: WholeOf,
): AsyncGenerator<string> {
  yield `{"session":${JSON.stringify(session)},\n"events":[`
  let separator = '\n'
  for await (const event of events) {
    yield separator
    const parts = await wholeOf(event)
    if (parts === undefined) yield JSON.stringify(event)
    else yield* wholeEvent(event, parts)
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** The event with its content whole, as blocks. What is gone is a block of the type `missing`, in its place. */
async function* wholeEvent(event: StreamEvent, parts: readonly ResultPart[]): AsyncGenerator<string> {
  const { content: _, omitted_bytes: __, ...rest } = event as StreamEvent & Record<string, unknown>
  yield `${JSON.stringify(rest).slice(0, -1)},"content":[`
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield ','
    yield* jsonBlock(part)
  }
  yield ']}'
}

async function* jsonBlock(part: ResultPart): AsyncGenerator<string> {
  if (part.kind === 'text') {
    yield '{"type":"text","text":"'
    for await (const piece of decoded(part.source)) yield JSON.stringify(piece).slice(1, -1)
    yield '"}'
  } else if (part.kind === 'picture') {
    yield `{"type":"image","source":{"type":"base64","media_type":"${part.mediaType}","data":"`
    yield* base64Of(part.source)
    yield '"}}'
  } else if (part.kind === 'missing') yield JSON.stringify({ type: 'missing', text: part.saying.message })
  else yield JSON.stringify({ type: 'other', name: part.name })
}
