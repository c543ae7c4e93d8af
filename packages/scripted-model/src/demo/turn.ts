import { isRecord, type RequestContent, type RequestMessage, textParts } from '../request-body.ts'

/** A tool use of the model, and what came of it once that is known. */
export interface DemoCall {
  id: string
  name: string
  input: Record<string, unknown>
  result?: { text: string; isError: boolean }
}

/** What was asked last, and what the model has done about it so far. */
export interface DemoTurn {
  said: string
  calls: DemoCall[]
  /** Where the person spoke up in the middle of the work: the calls before that, whose results are new. */
  interrupted: DemoCall[]
}

/** Everything is in the messages of a request, so the model itself remembers nothing: a resumed session goes on where it was. */
export function readTurn(messages: readonly RequestMessage[]): DemoTurn {
  let turn: DemoTurn = { said: '', calls: [], interrupted: [] }
  for (const message of messages) {
    if (message.role === 'assistant') {
      turn.calls.push(...toolUses(message))
      turn.interrupted = []
      continue
    }
    addResults(turn.calls, message)
    const spoken = newestText(message)
    if (spoken === undefined) continue
    turn = { said: spoken.text, calls: [], interrupted: spoken.midTurn ? turn.calls.slice(-1) : [] }
  }
  return turn
}

function toolUses(message: RequestMessage): DemoCall[] {
  return parts(message)
    .filter((part) => part.type === 'tool_use')
    .map(({ id, name, input }) => ({
      id: String(id),
      name: String(name),
      input: isRecord(input) ? input : {},
    }))
}

function addResults(calls: DemoCall[], message: RequestMessage): void {
  for (const part of parts(message)) {
    const call = part.type === 'tool_result' ? calls.find(({ id }) => id === part.tool_use_id) : undefined
    if (call === undefined) continue
    const content = part.content
    const text =
      typeof content === 'string' ? content : textParts(parts({ role: 'user', content })).join('\n')
    call.result = { text: withoutReminder(text), isError: part.is_error === true }
  }
}

/** How the CLI hands on what a person says while the agent works (2.1.325). */
const MID_TURN =
  /The user sent a new message while you were working:\n([\s\S]*?)(?:\n\nThis is how Claude Code|\n*<\/system-reminder>|$)/

/** How the CLI marks a turn that was stopped. What is said next stands after it, in the same message (2.1.325). */
const STOPPED = '[Request interrupted'

/** What the CLI itself puts where a person's words are. */
const NOT_SPOKEN = ['<system-reminder>', STOPPED, '[structured-output-enforce]']

function newestText(message: RequestMessage): { text: string; midTurn: boolean } | undefined {
  const texts = textParts(parts(message))
  const midTurn = texts.map((text) => MID_TURN.exec(text)?.[1]).findLast((text) => text !== undefined)
  if (midTurn !== undefined) return { text: midTurn.trim(), midTurn: true }
  if (message.role !== 'user') return undefined
  const stopped = texts.findLastIndex((text) => text.startsWith(STOPPED))
  // Any other text next to tool results is a note of the CLI's.
  if (stopped === -1 && parts(message).some(({ type }) => type === 'tool_result')) return undefined
  const spoken = texts
    .slice(stopped + 1)
    .findLast((text) => !NOT_SPOKEN.some((start) => text.startsWith(start)))
  return spoken === undefined ? undefined : { text: spoken.trim(), midTurn: false }
}

/** The CLI can add a reminder at the end of a result. */
function withoutReminder(text: string): string {
  const end = text.trimEnd()
  if (!end.endsWith('</system-reminder>')) return end
  return end.slice(0, end.lastIndexOf('<system-reminder>')).trimEnd()
}

function parts(message: { role: string; content: unknown }): RequestContent[] {
  if (typeof message.content === 'string') return [{ type: 'text', text: message.content }]
  return Array.isArray(message.content)
    ? message.content.filter((part): part is RequestContent => isRecord(part))
    : []
}
