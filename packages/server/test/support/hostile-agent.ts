/** A hostile agent: a session whose model does what the test says, and a person who allows whatever it asks for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Approval, ApprovalAnswer, AuditEntry, PermissionMode } from '@dorkos/shared'
import { type ScriptedModel, toolUse } from '@dorkos/testkit'
import { Conversation } from './conversation.ts'
import type { Prompts } from './prompts.ts'
import type { Host } from './start-host.ts'

export type Call = [tool: string, input: Record<string, unknown>]

interface Attack {
  mode: PermissionMode
  calls: Call[]
  /** Before the first call: what the user's message holds besides. */
  mention?: string
  answer?: (approval: Approval) => ApprovalAnswer
  workspaceId?: string
}

export interface Outcome {
  session: Conversation
  /** In the order of the calls. */
  results: { text: string; isError: boolean }[]
  asked: Approval[]
  /** All that the model was sent: what the agent knows. */
  known: string
}

export interface HostileGround extends Pick<Host, 'client' | 'cwd'> {
  model: ScriptedModel
}

const allow: ApprovalAnswer = { decision: 'allow', scope: 'once' }
export const refuse: ApprovalAnswer = { decision: 'deny', message: 'the person said no' }

let runs = 0

/** Runs one turn to its end. The session's process lives on: `close` its conversation. */
export async function attack(host: HostileGround, prompts: Prompts, wanted: Attack): Promise<Outcome> {
  const { mode, calls, mention, answer = () => allow, workspaceId } = wanted
  const answers = calls.map(([tool, input]) => toolUse(tool, input))
  const prompt = prompts.on(
    `${mention === undefined ? '' : `${mention} `}attack ${++runs}`,
    ...answers,
    'done',
  )
  const session = await Conversation.open(host, {
    content: prompt,
    permission_mode: mode,
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
  })
  const asked = await answerAll(host, session, answer)
  const requests = host.model.requests.filter(({ sessionId }) => sessionId === session.id)
  const results = session.watch.of('tool_result').map(({ content, is_error }) => ({
    text: content.map((block) => ('text' in block ? String(block.text) : JSON.stringify(block))).join('\n'),
    isError: is_error,
  }))
  return { session, results, asked, known: JSON.stringify(requests.map(({ body }) => body)) }
}

/** Answers until the turn is over. */
export async function answerAll(
  { client }: HostileGround,
  { watch }: Conversation,
  answer: (approval: Approval) => ApprovalAnswer,
): Promise<Approval[]> {
  const asked: Approval[] = []
  const isNew = (id: string) => asked.every((known) => known.id !== id)
  const end = watch.next('turn_end')
  for (;;) {
    const event = await Promise.race([
      end,
      watch.next('approval_required', ({ approval }) => isNew(approval.id)),
    ])
    if (event.type === 'turn_end') return asked
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
