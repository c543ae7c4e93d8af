import { text, toolUse } from '../block.ts'
import type { ModelRequest } from '../model-request.ts'
import { type Reply, reply } from '../reply.ts'
import { isRecord } from '../request-body.ts'
import { sampleOf } from '../schema-sample.ts'
import type { ScriptFunction } from '../script.ts'
import { asSummary, wantedSchema } from '../side-answer.ts'
import { type Exchange, offeredTool, say } from './exchange.ts'
import { report } from './report.ts'
import { answerByRule } from './rules.ts'
import { readTurn } from './turn.ts'

const STRUCTURED = 'StructuredOutput'

/**
 * A model made of rules, for a server that has no key: it says what it is, and sets off real tools, approvals and questions
 * by keywords. Give it as the script and as `side` too. It remembers nothing but which requests it has failed on demand.
 */
export function demoModel(): ScriptFunction {
  const failed = new Set<string>()
  return (request) => {
    if (request.kind === 'side') return answerSide(request)
    const turn = readTurn(request.messages)
    if (request.kind === 'subagent') return answerAsSubagent(turn.said)
    const exchange = { ...turn, request, isFirstAttempt: () => isFirstAttempt(failed, request) }
    const shaped = exchange.calls.find(({ name }) => name === STRUCTURED)
    if (shaped !== undefined) return say(report(shaped, 'The answer was taken:'))
    return inWantedShape(exchange, withWhatCameBefore(exchange, answerByRule(exchange)))
  }
}

const MOST_REMEMBERED = 1_000

function isFirstAttempt(failed: Set<string>, request: ModelRequest): boolean {
  const key = `${request.sessionId ?? ''} ${request.messages.length}`
  if (failed.delete(key)) return false
  if (failed.size >= MOST_REMEMBERED) failed.clear()
  failed.add(key)
  return true
}

/** Where the person spoke up while a tool ran, its result is reported before the new words are answered. */
function withWhatCameBefore({ interrupted, said }: Exchange, answer: Reply): Reply {
  const [call] = interrupted
  if (call === undefined || answer.kind !== 'message') return answer
  const before = `${report(call, `\`${call.name}\` answered:`)}\n\nMeanwhile you said: “${said}”`
  return { ...answer, blocks: [text(before), ...answer.blocks] }
}

/** Where an answer of a fixed shape is wanted, the last word of a turn is a call of the tool that takes it. */
function inWantedShape(exchange: Exchange, answer: Reply): Reply {
  const tool = offeredTool(exchange, STRUCTURED)
  if (tool === undefined || answer.kind !== 'message') return answer
  if (answer.blocks.some(({ type }) => type === 'tool_use')) return answer
  const value = sampleOf(tool.input_schema ?? {}, demoValues)
  return reply([...answer.blocks, toolUse(STRUCTURED, isRecord(value) ? value : {})])
}

const demoValues = { text: (name: string) => `Demo ${name}`, number: 42, everything: true }

function answerAsSubagent(said: string): Reply {
  return say(
    `Hello from a subagent of DorkOS's demo model. I was told: “${shorten(said, 200)}” That is all I do.`,
  )
}

/** A title is made of the first words; a summary says how the session began. */
function answerSide(request: ModelRequest): string {
  const schema = wantedSchema(request)
  if (schema === undefined) {
    const began = shorten(firstWords(request), 200)
    return asSummary(
      request,
      `DorkOS's demo model, not Claude, answers in this session. It began with: “${began}”`,
    )
  }
  const title = titleFrom(request.newText)
  return JSON.stringify(
    sampleOf(schema, { ...demoValues, text: (name) => (name === 'title' ? title : `Demo ${name}`) }),
  )
}

function firstWords({ messages }: ModelRequest): string {
  return messages.map((message) => readTurn([message]).said).find((said) => said !== '') ?? ''
}

/** The CLI puts what is to be named between tags (2.1.325). */
function titleFrom(question: string): string {
  const named = /<session>([\s\S]*?)<\/session>/.exec(question)?.[1] ?? question
  const title = shorten(named.trim().split(/\s+/).slice(0, 6).join(' '), 60)
  return title === '' ? 'Demo session' : title.charAt(0).toUpperCase() + title.slice(1)
}

function shorten(words: string, length: number): string {
  return words.length > length ? `${words.slice(0, length)}…` : words
}
