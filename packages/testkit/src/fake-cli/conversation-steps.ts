import { randomBytes } from 'node:crypto'
import { rejection } from './canned.ts'
import type { HostAnswer } from './host-requests.ts'
import { assistantMessage, systemMessage, textStream, toolResult } from './messages.ts'
import type { Program } from './program.ts'
import type {
  AskStep,
  BackgroundStep,
  ElicitStep,
  HookStep,
  JsonObject,
  SayStep,
  ToolStep,
} from './scenario.ts'
import { type FakeTurn, Interrupted } from './turn.ts'

const newId = (prefix: string): string => `${prefix}${randomBytes(6).toString('hex')}`

export function say(program: Program, turn: FakeTurn, step: SayStep): void {
  const { facts, output } = program
  const text = step.text.replaceAll('{prompt}', turn.prompt)
  turn.text = text
  const id = program.turns.nextMessageId()
  const message = assistantMessage(facts, id, { type: 'text', text })
  const streamed = step.partial ?? program.launch.partialMessages
  const { before, after } = streamed ? textStream(facts, id, text) : { before: [], after: [] }
  for (const part of [...before, message, ...after]) output.send(part)
}

function sendToolUse(program: Program, toolUseId: string, name: string, input: JsonObject): void {
  const block = { type: 'tool_use', id: toolUseId, name, input }
  program.output.send(assistantMessage(program.facts, program.turns.nextMessageId(), block))
}

/** An interrupted call or question gets the CLI's rejection as its result. */
function reject(program: Program, turn: FakeTurn, toolUseId: string): never {
  program.output.send(toolResult(program.facts, toolUseId, rejection, true))
  turn.inTools = true
  throw new Interrupted()
}

export async function callTool(program: Program, turn: FakeTurn, step: ToolStep): Promise<void> {
  const { facts, output, requests, servers } = program
  const toolUseId = step.toolUseId ?? newId('toolu_')
  const args = step.args ?? {}
  sendToolUse(program, toolUseId, `mcp__${step.server}__${step.name}`, args)
  const id = servers.nextId(step.server)
  const meta = { 'claudecode/toolUseId': toolUseId, progressToken: id }
  const params = { name: step.name, arguments: args, _meta: meta }
  const answer = await requests.mcp(step.server, { method: 'tools/call', params, id }, 'tool_call')
  if (answer.outcome === 'interrupted') reject(program, turn, toolUseId)
  const { content, isError } = readToolAnswer(answer)
  output.send(toolResult(facts, toolUseId, content, isError))
}

function readToolAnswer(answer: HostAnswer): { content: unknown; isError: boolean } {
  if (answer.outcome === 'error') return { content: answer.error, isError: true }
  if (answer.outcome !== 'answered') return { content: 'Stream closed', isError: true }
  const rpc = answer.response.mcp_response as { result?: JsonObject; error?: JsonObject } | undefined
  if (rpc?.error !== undefined) {
    const { code, message } = rpc.error
    return { content: `MCP error ${String(code)}: ${String(message)}`, isError: true }
  }
  const result = rpc?.result
  if (!Array.isArray(result?.content)) return { content: 'Invalid MCP response', isError: true }
  if (result.isError !== true) return { content: result.content, isError: false }
  const texts = (result.content as JsonObject[]).map((block) => String(block.text ?? ''))
  return { content: texts.join('\n'), isError: true }
}

/** Sends a question during which the session's state is `requires_action`. */
async function question(program: Program, request: JsonObject): Promise<HostAnswer> {
  program.turns.question(1)
  const answer = await program.requests.ask(request)
  program.turns.question(-1)
  return answer
}

export async function ask(program: Program, turn: FakeTurn, step: AskStep): Promise<void> {
  const toolUseId = step.toolUseId ?? newId('toolu_')
  const input = step.input ?? {}
  sendToolUse(program, toolUseId, step.toolName, input)
  const answer = await question(program, {
    subtype: 'can_use_tool',
    tool_name: step.toolName,
    display_name: step.toolName,
    input,
    permission_suggestions: step.suggestions ?? [],
    tool_use_id: toolUseId,
    ...step.extra,
  })
  if (answer.outcome === 'interrupted') reject(program, turn, toolUseId)
  const verdict = readPermission(answer)
  if (verdict.interrupt) reject(program, turn, toolUseId)
  program.output.send(toolResult(program.facts, toolUseId, verdict.text, !verdict.allowed))
}

interface Verdict {
  allowed: boolean
  interrupt: boolean
  text: string
}

function readPermission(answer: HostAnswer): Verdict {
  const denied = (why: string): Verdict => ({ allowed: false, interrupt: false, text: `denied: ${why}` })
  if (answer.outcome === 'withdrawn') return denied('the question was withdrawn')
  if (answer.outcome === 'error') return denied(`Tool permission request failed: ${answer.error}`)
  if (answer.outcome !== 'answered') {
    return denied('Tool permission request failed: AbortError: Tool permission stream closed')
  }
  const { behavior, interrupt } = answer.response
  const text = JSON.stringify(answer.response)
  if (behavior === 'allow') return { allowed: true, interrupt: false, text: `allowed: ${text}` }
  if (behavior === 'deny') return { allowed: false, interrupt: interrupt === true, text: `denied: ${text}` }
  return denied(`invalid permission result ${text}`)
}

/** Reports to the reader of the messages how a question without a tool was answered. */
function report(program: Program, about: string, answer: HostAnswer): void {
  const content = `${about}: ${JSON.stringify(answer)}`
  program.output.send(systemMessage(program.facts, 'informational', { content, level: 'info' }))
}

export async function hook(program: Program, turn: FakeTurn, step: HookStep): Promise<void> {
  const matchers = program.hooks[step.event] ?? []
  const ids = matchers.flatMap((matcher) => (matcher.hookCallbackIds ?? []) as string[])
  const callbackId = ids[step.callbackIndex ?? 0]
  if (callbackId === undefined) {
    return program.log.write({ type: 'note', text: `no callback is registered for the hook ${step.event}` })
  }
  const input = {
    session_id: program.facts.sessionId,
    transcript_path: '',
    cwd: process.cwd(),
    permission_mode: program.facts.permissionMode,
    hook_event_name: step.event,
    ...step.input,
  }
  const toolUseId = step.toolUseId ?? newId('hook-')
  const request = { subtype: 'hook_callback', callback_id: callbackId, input, tool_use_id: toolUseId }
  const answer = await program.requests.ask(request)
  if (answer.outcome === 'interrupted') {
    turn.inTools = true
    throw new Interrupted()
  }
  report(program, `hook ${step.event}`, answer)
}

export async function elicit(program: Program, turn: FakeTurn, step: ElicitStep): Promise<void> {
  const answer = await question(program, {
    subtype: 'elicitation',
    mcp_server_name: step.server,
    message: step.message,
    mode: 'form',
    requested_schema: step.schema ?? { type: 'object', properties: {} },
  })
  if (answer.outcome === 'interrupted') {
    turn.inTools = true
    throw new Interrupted()
  }
  report(program, 'elicitation', answer)
}

export function background(program: Program, step: BackgroundStep): void {
  const { facts, output, turns, openTasks } = program
  const description = step.description ?? 'background work'
  const ids = { task_id: newId('b'), run_id: newId('r') }
  const task = { ...ids, task_type: 'local_bash', description }
  const send = (subtype: string, fields: JsonObject): void =>
    output.send(systemMessage(facts, subtype, fields))
  openTasks.add(ids.task_id)
  send('background_tasks_changed', { tasks: [task] })
  send('task_started', { ...task, tool_use_id: newId('toolu_'), is_backgrounded: true })
  setTimeout(() => {
    endTask(program, ids.task_id, false)
    send('task_updated', { ...ids, patch: { status: 'completed', end_time: Date.now() } })
    send('task_notification', { ...ids, status: 'completed', summary: `"${description}" completed` })
    send('background_tasks_changed', { tasks: [] })
    const news = `<task-notification>\n<task-id>${ids.task_id}</task-id>\n<status>completed</status>\n</task-notification>`
    turns.wake(step.steps ?? [{ verb: 'say', text: `${description} is done` }], news)
  }, step.ms)
}

/** Resumed, it reports the work that an earlier process left. Says whether there was any. */
export function reportLostTasks(program: Program): boolean {
  const lost = [...program.openTasks]
  for (const task_id of lost) {
    endTask(program, task_id, true)
    const summary = "Background shell command didn't finish before the previous session ended"
    program.output.send(
      systemMessage(program.facts, 'task_notification', { task_id, status: 'stopped', summary }),
    )
  }
  return lost.length > 0
}

function endTask({ openTasks, log, facts }: Program, taskId: string, isLost: boolean): void {
  openTasks.delete(taskId)
  log.write({ type: 'task_ended', sessionId: facts.sessionId, taskId, isLost })
}
