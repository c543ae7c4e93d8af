/** A hostile agent: a session whose model does what the test says, and a person who allows whatever it asks for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiClient, Approval, ApprovalAnswer, AuditEntry, PermissionMode } from '@dorkos/shared'
import { type ScriptedModel, toolUse } from '@dorkos/testkit'
import { Conversation } from './conversation.ts'
import type { Prompts } from './prompts.ts'
import type { Host } from './start-host.ts'

export type Call = [tool: string, input: Record<string, unknown>]

interface Attack {
  mode: PermissionMode
  /** Each in an answer of its own. A list is one answer: those calls are made at once. A function says it when its time has come. */
  calls: readonly (Call | Call[] | (() => Promise<Call>))[]
  /** Before the first call: what the user's message holds besides. */
  mention?: string
  /** Who sends the message, in a session that is there. Absent: the owner. */
  sender?: Pick<ApiClient, 'sendMessage'>
  answer?: (approval: Approval) => ApprovalAnswer
}

export interface Outcome {
  session: Conversation
  /** In the order of the calls. */
  results: { text: string; isError: boolean }[]
  asked: Approval[]
  /** Who decided about each call, as `decisions` tells it. */
  decided: string[]
  /** All that the model was sent: what the agent knows. */
  known: string
}

export interface HostileGround extends Pick<Host, 'client' | 'cwd'> {
  model: ScriptedModel
}

const allow: ApprovalAnswer = { decision: 'allow', scope: 'once' }
export const refuse: ApprovalAnswer = { decision: 'deny', message: 'the person said no' }

let runs = 0

/**
 * Attacks one after the other in one session, whose mode is changed in between. For what is looked at call by call: what is settled
 * when a process starts wants an agent, and so a process, of its own.
 */
export class HostileAgent {
  readonly #host: HostileGround
  readonly #prompts: Prompts
  readonly #workspaceId: string | undefined
  #session: Conversation | undefined
  #turns = 0

  constructor(host: HostileGround, prompts: Prompts, workspaceId?: string) {
    this.#host = host
    this.#prompts = prompts
    this.#workspaceId = workspaceId
  }

  /** Runs one turn to its end; the outcome is that turn's. */
  async attack({ mode, calls, mention, sender, answer = () => allow }: Attack): Promise<Outcome> {
    const answers = calls.map((one) => {
      if (typeof one === 'function') return async () => toolUse(...(await one()))
      return isCall(one) ? toolUse(...one) : one.map((call) => toolUse(...call))
    })
    const message = `${mention === undefined ? '' : `${mention} `}attack ${++runs}`
    const content = this.#prompts.on(message, ...answers, 'done')
    const before = await this.#seen()
    const session = await this.#send(content, mode, sender)
    const asked = await answerAll(this.#host, session, answer, ++this.#turns)
    const { outcome, reason } = await session.endOf(this.#turns)
    if (outcome !== 'completed') throw new Error(`the attack was not carried out: ${outcome}, ${reason}`)
    const now = await this.#seen()
    return {
      session,
      asked,
      results: now.results.slice(before.results.length),
      decided: now.decided.slice(before.decided.length),
      // Each request holds what was said before it, in earlier turns too.
      known: JSON.stringify(now.requests.slice(before.requests.length)),
    }
  }

  async close(): Promise<void> {
    await this.#session?.close()
  }

  async #send(
    content: string,
    mode: PermissionMode,
    sender: Attack['sender'] = this.#host.client,
  ): Promise<Conversation> {
    const session = this.#session
    if (session) {
      await this.#host.client.changeSession({ params: session.params, body: { permission_mode: mode } })
      await sender.sendMessage({ params: session.params, body: { content } })
      return session
    }
    this.#session = await Conversation.open(this.#host, {
      content,
      permission_mode: mode,
      // What it costs is not what ends it.
      budget_usd: 1000,
      ...(this.#workspaceId !== undefined && { workspace_id: this.#workspaceId }),
    })
    return this.#session
  }

  /** Of the whole session, up to now. */
  async #seen(): Promise<Pick<Outcome, 'results' | 'decided'> & { requests: unknown[] }> {
    if (!this.#session) return { results: [], decided: [], requests: [] }
    const { id, watch } = this.#session
    const calls = watch.of('tool_call_end').map(({ tool_call_id }) => tool_call_id)
    const inOrder = watch
      .of('tool_result')
      .toSorted((a, b) => calls.indexOf(a.tool_call_id) - calls.indexOf(b.tool_call_id))
    const results = inOrder.map(({ content, is_error }) => ({
      text: content.map((block) => ('text' in block ? String(block.text) : JSON.stringify(block))).join('\n'),
      isError: is_error,
    }))
    const requests = this.#host.model.requests.filter(({ sessionId }) => sessionId === id)
    return { results, decided: await decisions(this.#host, id), requests: requests.map(({ body }) => body) }
  }
}

function isCall(one: Call | Call[]): one is Call {
  return typeof one[0] === 'string'
}

/** One turn of a session of its own. Its process lives on: `close` its conversation. */
export function attack(
  host: HostileGround,
  prompts: Prompts,
  { workspaceId, ...wanted }: Attack & { workspaceId?: string },
): Promise<Outcome> {
  return new HostileAgent(host, prompts, workspaceId).attack(wanted)
}

/** Answers until the session's n-th turn, from 1, is over. */
export async function answerAll(
  { client }: Pick<HostileGround, 'client'>,
  session: Conversation,
  answer: (approval: Approval) => ApprovalAnswer,
  n = 1,
): Promise<Approval[]> {
  const asked: Approval[] = []
  const known = new Set(session.watch.of('approval_resolved').map(({ approval_id }) => approval_id))
  const end = session.endOf(n)
  for (;;) {
    const event = await Promise.race([
      end,
      session.watch.next('approval_required', ({ approval }) => !known.has(approval.id)),
    ])
    if (event.type === 'turn_end') return asked
    known.add(event.approval.id)
    asked.push(event.approval)
    await client.answerApproval({ params: { id: event.approval.id }, body: answer(event.approval) })
  }
}

/** A call that runs a script: from a file, so that nobody decides by the command's text. */
export function script(host: Pick<HostileGround, 'cwd'>, name: string, text: string): Call {
  writeFileSync(join(host.cwd, name), text)
  return ['Bash', { command: `bash ./${name}`, description: 'a test', timeout: 120_000 }]
}

/** Who decided about each call of a session: `tool: decision by`, in the order of the calls. */
export async function decisions(host: Pick<Host, 'client'>, sessionId: string): Promise<string[]> {
  const { entries } = await host.client.listAudit({ query: { session_id: sessionId, limit: 1000 } })
  const calls = new Map<string, AuditEntry[]>()
  for (const entry of entries.toReversed().filter(({ tool }) => tool !== undefined))
    calls.set(entry.tool_call_id ?? '', [...(calls.get(entry.tool_call_id ?? '') ?? []), entry])
  return [...calls.values()].map((rows) => {
    const decided = rows.filter(({ action }) => action === 'tool_decided')
    const by = decided.map(({ decision, decided_by }) => `${decision} ${decided_by?.kind}`)
    // No call is behind this question: the sandbox asks it.
    const requests = rows[0]?.tool === 'SandboxNetworkAccess' ? 0 : 1
    const asRequested = rows.filter(({ action }) => action === 'tool_requested').length === requests
    return `${rows[0]?.tool}: ${asRequested ? by.join(', ') : 'not in the log as it should be'}`
  })
}
