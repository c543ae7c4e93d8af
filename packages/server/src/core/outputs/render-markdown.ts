/** A session as Markdown: what was said in full, tool calls and thinking to be opened, what was denied or failed marked. */
import type { EventOf, Session, StreamEvent } from '@dorkos/shared'
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
import type { WholeOf } from './render-export.ts'
import { eventParts } from './whole-result.ts'

interface OpenCall {
  call: EventOf<'tool_call_end'>
  /** Why it did not run, where somebody decided so. */
  refused: string | undefined
}

/** Keeps no more than the words and calls that are not finished yet. */
export async function* renderMarkdown(
  session: Pick<Session, 'id' | 'title' | 'first_prompt' | 'cwd' | 'created_at' | 'model' | 'demo'>,
  events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>,
  wholeOf: WholeOf,
): AsyncGenerator<string> {
  yield heading(session)
  const writer = new MarkdownWriter()
  for await (const event of events) {
    const part = writer.write(event)
    if (part !== '') yield part
    if (event.type === 'user_message') yield* userSection(event, wholeOf)
    if (event.type !== 'tool_result') continue
    yield* shownParts((await wholeOf(event)) ?? (await eventParts(event.content)))
    yield collapsedEnd
  }
  const rest = writer.end()
  if (rest !== '') yield rest
}

function heading(session: Parameters<typeof renderMarkdown>[0]): string {
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

const outcomeWords: Partial<Record<string, string>> = {
  interrupted: 'Interrupted',
  failed: 'Failed',
  max_turns: 'Stopped: too many steps',
  budget: 'Stopped: the budget is used up',
  structured_output_failed: 'Failed: no answer in the form that was asked for',
  unconfirmed: 'Not confirmed: the message may not have reached the agent',
}

class MarkdownWriter {
  /** The words that are being collected, and whose they are. */
  #words: { key: string; kind: 'text' | 'thinking'; parent: string | undefined; text: string } | undefined
  readonly #calls = new Map<string, OpenCall>()
  readonly #refusals = new Map<string, string>()

  write(event: StreamEvent): string {
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta':
        return this.#wordsGrew(event)
      case 'tool_call_end':
        this.#calls.set(event.tool_call_id, { call: event, refused: undefined })
        return this.#finishWords()
      case 'approval_resolved':
      case 'question_resolved':
        return this.#resolved(event)
      case 'tool_result':
        return this.#finishWords() + this.#resultStart(event)
      case 'user_message':
        return this.#finishWords()
      default:
        return this.#other(event)
    }
  }

  end(): string {
    return this.#finishWords() + this.#unansweredCalls()
  }

  #wordsGrew(event: EventOf<'text_delta' | 'thinking_delta'>): string {
    const kind = event.type === 'text_delta' ? 'text' : 'thinking'
    const key = `${kind} ${event.message_id} ${event.index}`
    if (this.#words?.key === key) {
      this.#words.text += event.text
      return ''
    }
    const finished = this.#finishWords()
    this.#words = { key, kind, parent: event.parent, text: event.text }
    return finished
  }

  #finishWords(): string {
    const words = this.#words
    this.#words = undefined
    if (words === undefined || words.text.trim() === '') return ''
    const from = words.parent === undefined ? '' : ' (subagent)'
    if (words.kind === 'thinking') return collapsed(`Thinking${from}`, fenced(words.text))
    return words.parent === undefined
      ? `${words.text.trimEnd()}\n\n`
      : quoted(`Subagent: ${words.text.trimEnd()}`)
  }

  #resolved(event: EventOf<'approval_resolved' | 'question_resolved'>): string {
    if (event.tool_call_id === undefined || event.state === 'allowed') return ''
    const reason = event.message === undefined ? event.state : `${event.state}: ${event.message}`
    const open = this.#calls.get(event.tool_call_id)
    if (open) open.refused = reason
    else this.#refusals.set(event.tool_call_id, reason)
    return ''
  }

  /** Up to its output, which follows. */
  #resultStart(event: EventOf<'tool_result'>): string {
    const open = this.#calls.get(event.tool_call_id)
    this.#calls.delete(event.tool_call_id)
    const refused = open?.refused ?? this.#refusals.get(event.tool_call_id)
    this.#refusals.delete(event.tool_call_id)
    const mark = refused !== undefined ? `⛔ ${refused}` : event.is_error ? '❌ failed' : ''
    const input = open === undefined ? '' : `Input\n\n${inputFence(open.call)}\n`
    return `${collapsedStart(summary(open?.call, mark))}${input}Output\n\n`
  }

  #unansweredCalls(): string {
    const parts = [...this.#calls.values()].map(({ call, refused }) =>
      collapsed(
        summary(call, refused === undefined ? '⚠ no result' : `⛔ ${refused}`),
        `Input\n\n${inputFence(call)}`,
      ),
    )
    this.#calls.clear()
    return parts.join('')
  }

  #other(event: StreamEvent): string {
    const text = sectionOf(event)
    if (text === undefined) return ''
    // A turn that is over answers no more calls.
    const calls = event.type === 'turn_end' ? this.#unansweredCalls() : ''
    return this.#finishWords() + calls + text
  }
}

/** What stands on its own; undefined for events that are no part of the conversation. */
function sectionOf(event: StreamEvent): string | undefined {
  switch (event.type) {
    case 'turn_end': {
      const words = outcomeWords[event.outcome]
      if (words === undefined) return ''
      return `**${words}**${event.reason === undefined ? '' : `: ${plainLine(event.reason, 500)}`}\n\n`
    }
    case 'compact_boundary':
      return '*The conversation up to here was compacted.*\n\n---\n\n'
    case 'error':
      return `**Error**: ${plainLine(event.message, 500)}\n\n`
    case 'notice':
      return event.level === 'warning' ? `*${plainLine(event.message, 500)}*\n\n` : undefined
    case 'hook_result':
      return event.outcome === 'said' ? undefined : `*${plainLine(hookLine(event), 500)}*\n\n`
    default:
      return undefined
  }
}

const hookWords = { said: '', failed: ' failed', cancelled: ' was cut off', blocked: ' objected' } as const

function hookLine({ hook, outcome, output }: EventOf<'hook_result'>): string {
  return `Hook ${hook}${hookWords[outcome]}${output === '' ? '' : `: ${output}`}`
}

async function* userSection(event: EventOf<'user_message'>, wholeOf: WholeOf): AsyncGenerator<string> {
  if (event.synthetic && event.parent !== undefined) return
  const spoken = spokenParts((await wholeOf(event)) ?? (await eventParts(event.content)))
  if (event.synthetic) {
    let text = ''
    for await (const piece of spoken) text += piece
    yield quoted(escapeHtml(text))
    return
  }
  yield `## ${event.time.slice(0, 16).replace('T', ' ')} UTC\n\n`
  yield* spoken
  yield '\n\n---\n\n'
}

function summary(call: EventOf<'tool_call_end'> | undefined, mark: string): string {
  const name = call === undefined ? 'Tool result' : `Tool: ${escapeHtml(call.name)}`
  const where = call?.parent === undefined ? '' : ' (subagent)'
  return `${name}${where}${mark === '' ? '' : ` — ${escapeHtml(mark.replace(/\s+/g, ' ').slice(0, 200))}`}`
}

const inputFence = (call: EventOf<'tool_call_end'>): string =>
  fenced(JSON.stringify(call.input, undefined, 2), 'json')
