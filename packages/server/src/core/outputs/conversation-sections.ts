/** A conversation as readers see it: what was said and done, in its order, for whatever form it is written in. */
import type { EventOf, StreamEvent } from '@dorkos/shared'
import { eventParts, type ResultPart } from './whole-result.ts'

export type Section =
  /** Of a person, or put in for the model (`synthetic`). */
  | { type: 'user'; time: string; synthetic: boolean; parts: readonly ResultPart[] }
  | { type: 'words'; kind: 'text' | 'thinking'; ofSubagent: boolean; text: string }
  | CallSection
  | { type: 'outcome'; words: string; reason: string | undefined }
  | { type: 'compacted' }
  | { type: 'error'; message: string }
  | { type: 'note'; message: string }

export interface CallSection {
  type: 'call'
  /** Absent where only the result is known. */
  call: EventOf<'tool_call_end'> | undefined
  /** What became of it, where that is not plain success. `refused`: by whom or what, and why. */
  mark: { kind: 'refused'; words: string } | { kind: 'failed' | 'unanswered' } | undefined
  /** Absent where there is no result. */
  output: readonly ResultPart[] | undefined
}

/** What an event holds, whole; undefined where it is whole itself. */
export type WholeOf = (event: StreamEvent) => Promise<ResultPart[] | undefined>

type Events = Iterable<StreamEvent> | AsyncIterable<StreamEvent>

/** Keeps no more than the words and calls that are not finished yet. */
export async function* conversationSections(events: Events, wholeOf: WholeOf): AsyncGenerator<Section> {
  const open = new OpenParts()
  for await (const event of events) {
    yield* open.before(event)
    if (event.type === 'user_message') {
      const synthetic = event.synthetic === true
      if (synthetic && event.parent !== undefined) continue
      const parts = (await wholeOf(event)) ?? (await eventParts(event.content))
      yield { type: 'user', time: event.time, synthetic, parts }
    } else if (event.type === 'tool_result') {
      const output = (await wholeOf(event)) ?? (await eventParts(event.content))
      yield open.result(event, output)
    } else {
      const section = sectionOf(event)
      if (section) yield section
    }
  }
  yield* open.rest()
}

class OpenParts {
  /** The words that are being collected, and whose they are. */
  #words: { key: string; kind: 'text' | 'thinking'; ofSubagent: boolean; text: string } | undefined
  readonly #calls = new Map<string, { call: EventOf<'tool_call_end'>; refused: string | undefined }>()
  readonly #refusals = new Map<string, string>()

  /** Takes an event in; what it ends. */
  before(event: StreamEvent): Section[] {
    if (event.type === 'text_delta' || event.type === 'thinking_delta') return this.#wordsGrew(event)
    if (event.type === 'approval_resolved' || event.type === 'question_resolved') return this.#resolved(event)
    if (event.type === 'tool_call_end')
      this.#calls.set(event.tool_call_id, { call: event, refused: undefined })
    // A turn that is over answers no more calls.
    if (event.type === 'turn_end') return this.rest()
    const endsWords =
      ['tool_call_end', 'tool_result', 'user_message'].includes(event.type) || sectionOf(event)
    return endsWords ? this.#finishedWords() : []
  }

  result(event: EventOf<'tool_result'>, output: readonly ResultPart[]): Section {
    const { tool_call_id: id } = event
    const known = this.#calls.get(id)
    const refused = known?.refused ?? this.#refusals.get(id)
    this.#calls.delete(id)
    this.#refusals.delete(id)
    const failed = event.is_error ? ({ kind: 'failed' } as const) : undefined
    const mark = refused === undefined ? failed : ({ kind: 'refused', words: refused } as const)
    return { type: 'call', call: known?.call, mark, output }
  }

  rest(): Section[] {
    return [...this.#finishedWords(), ...this.#unanswered()]
  }

  #wordsGrew(event: EventOf<'text_delta' | 'thinking_delta'>): Section[] {
    const kind = event.type === 'text_delta' ? 'text' : 'thinking'
    const key = `${kind} ${event.message_id} ${event.index}`
    if (this.#words?.key === key) {
      this.#words.text += event.text
      return []
    }
    const finished = this.#finishedWords()
    this.#words = { key, kind, ofSubagent: event.parent !== undefined, text: event.text }
    return finished
  }

  #finishedWords(): Section[] {
    const words = this.#words
    this.#words = undefined
    if (words === undefined || words.text.trim() === '') return []
    const { kind, ofSubagent, text } = words
    return [{ type: 'words', kind, ofSubagent, text }]
  }

  #resolved(event: EventOf<'approval_resolved' | 'question_resolved'>): Section[] {
    if (event.tool_call_id === undefined || event.state === 'allowed') return []
    const reason = event.message === undefined ? event.state : `${event.state}: ${event.message}`
    const open = this.#calls.get(event.tool_call_id)
    if (open) open.refused = reason
    else this.#refusals.set(event.tool_call_id, reason)
    return []
  }

  #unanswered(): Section[] {
    const open = [...this.#calls.values()]
    this.#calls.clear()
    return open.map(({ call, refused }) => ({
      type: 'call',
      call,
      mark: refused === undefined ? { kind: 'unanswered' } : { kind: 'refused', words: refused },
      output: undefined,
    }))
  }
}

const outcomeWords: Partial<Record<string, string>> = {
  interrupted: 'Interrupted',
  failed: 'Failed',
  max_turns: 'Stopped: too many steps',
  budget: 'Stopped: the budget is used up',
  structured_output_failed: 'Failed: no answer in the form that was asked for',
  unconfirmed: 'Not confirmed: the message may not have reached the agent',
}

/** What stands on its own; undefined for events that are no part of the conversation. */
function sectionOf(event: StreamEvent): Section | undefined {
  switch (event.type) {
    case 'turn_end': {
      const words = outcomeWords[event.outcome]
      return words === undefined ? undefined : { type: 'outcome', words, reason: event.reason }
    }
    case 'compact_boundary':
      return { type: 'compacted' }
    case 'error':
      return { type: 'error', message: event.message }
    case 'notice':
      return event.level === 'warning' ? { type: 'note', message: event.message } : undefined
    case 'hook_result':
      return event.outcome === 'said' ? undefined : { type: 'note', message: hookLine(event) }
    default:
      return undefined
  }
}

const hookWords = { said: '', failed: ' failed', cancelled: ' was cut off', blocked: ' objected' } as const

function hookLine({ hook, outcome, output }: EventOf<'hook_result'>): string {
  return `Hook ${hook}${hookWords[outcome]}${output === '' ? '' : `: ${output}`}`
}
