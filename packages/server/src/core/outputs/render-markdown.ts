/** A session as Markdown: what was said in full, tool calls and thinking to be opened, what was denied or failed marked. */
import type { EventOf, Session, StreamEvent } from '@dorkos/shared'
import {
  type CallSection,
  conversationSections,
  type Section,
  type WholeOf,
} from './conversation-sections.ts'
import {
  collapsed,
  collapsedEnd,
  collapsedStart,
  escapeHtml,
  fenced,
  plainLine,
  quoted,
  shownParts,
  spokenParts,
} from './markdown-blocks.ts'

export type ExportedSession = Pick<
  Session,
  'id' | 'title' | 'first_prompt' | 'cwd' | 'created_at' | 'model' | 'demo'
>

export async function* renderMarkdown(
  session: ExportedSession,
  events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>,
  wholeOf: WholeOf,
): AsyncGenerator<string> {
  yield heading(session)
  for await (const section of conversationSections(events, wholeOf)) yield* written(section)
}

function heading(session: ExportedSession): string {
  const title = plainLine(session.title ?? session.first_prompt ?? 'Session')
  const facts = [
    `Session \`${session.id}\``,
    `in ${plainLine(session.cwd, 500)}`,
    `from ${session.created_at}`,
    ...(session.model === undefined ? [] : [`with ${plainLine(session.model)}`]),
    ...(session.demo ? ['answered by the demo model'] : []),
  ]
  return `# ${title}\n\n${facts.join(', ')}.\n\n`
}

async function* written(section: Section): AsyncGenerator<string> {
  switch (section.type) {
    case 'user':
      return yield* userSection(section)
    case 'words':
      return yield wordsSection(section)
    case 'call':
      return yield* callSection(section)
    case 'outcome': {
      const { words, reason } = section
      return yield `**${words}**${reason === undefined ? '' : `: ${plainLine(reason, 500)}`}\n\n`
    }
    case 'compacted':
      return yield '*The conversation up to here was compacted.*\n\n---\n\n'
    case 'error':
      return yield `**Error**: ${plainLine(section.message, 500)}\n\n`
    case 'note':
      return yield `*${plainLine(section.message, 500)}*\n\n`
  }
}

async function* userSection(section: Extract<Section, { type: 'user' }>): AsyncGenerator<string> {
  const { time, synthetic, parts } = section
  const spoken = spokenParts(parts)
  if (synthetic) {
    let text = ''
    for await (const piece of spoken) text += piece
    yield quoted(escapeHtml(text))
    return
  }
  yield `## ${time.slice(0, 16).replace('T', ' ')} UTC\n\n`
  yield* spoken
  yield '\n\n---\n\n'
}

function wordsSection({ kind, ofSubagent, text }: Extract<Section, { type: 'words' }>): string {
  if (kind === 'thinking') return collapsed(`Thinking${ofSubagent ? ' (subagent)' : ''}`, fenced(text))
  return ofSubagent ? quoted(`Subagent: ${text.trimEnd()}`) : `${text.trimEnd()}\n\n`
}

async function* callSection({ call, mark, output }: CallSection): AsyncGenerator<string> {
  const input = call && `Input\n\n${inputFence(call)}`
  if (output === undefined) return yield collapsed(summary(call, mark), input ?? '')
  yield `${collapsedStart(summary(call, mark))}${input === undefined ? '' : `${input}\n`}Output\n\n`
  yield* shownParts(output)
  yield collapsedEnd
}

const marks = { failed: '❌ failed', unanswered: '⚠ no result' }

function summary(call: CallSection['call'], mark: CallSection['mark']): string {
  const name = call === undefined ? 'Tool result' : `Tool: ${escapeHtml(call.name)}`
  const where = call?.parent === undefined ? '' : ' (subagent)'
  if (mark === undefined) return `${name}${where}`
  const words = mark.kind === 'refused' ? `⛔ ${mark.words}` : marks[mark.kind]
  return `${name}${where} — ${escapeHtml(words.replace(/\s+/g, ' ').slice(0, 200))}`
}

const inputFence = (call: EventOf<'tool_call_end'>): string =>
  fenced(JSON.stringify(call.input, undefined, 2), 'json')
