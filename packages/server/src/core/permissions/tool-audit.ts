/** Entries of the audit log about tool calls. */
import type { Decider } from '@dorkos/shared'
import type { NewAuditEntry } from '../ports/records.ts'

/** What all entries about one call have in common. */
export interface CallFacts {
  sessionId: string
  workspaceId: string | undefined
  turnId: string | undefined
  principal: string
  permissionMode: string | undefined
  toolCallId: string | undefined
  tool: string
  inputHash: string | undefined
  /** What it is about, in short. */
  subject: string | undefined
}

export type ToolEntry = Omit<NewAuditEntry, 'time'>

/** Inputs are kept up to this many characters of JSON; the hash always stands for the whole. */
export const longestInput = 64 * 1024

const longestSubject = 200

/** Enough to know a call by where its input is not repeated. */
export function shortSubject(subject: string): string {
  return subject.slice(0, longestSubject)
}

export function boundedInput(input: unknown, json: string): unknown {
  if (json.length <= longestInput) return input
  return { omitted_characters: json.length - longestInput, json_start: json.slice(0, longestInput) }
}

export function requestedEntry(facts: CallFacts, input: unknown, agentId: string | undefined): ToolEntry {
  return {
    ...entry('tool_requested', facts),
    input,
    ...(agentId !== undefined && { detail: { agent_id: agentId } }),
  }
}

export function decidedEntry(
  facts: CallFacts,
  decision: 'allow' | 'deny',
  by: Decider,
  more: Partial<Pick<ToolEntry, 'approval_id' | 'detail' | 'input' | 'input_hash' | 'decision'>> = {},
): ToolEntry {
  return { ...entry('tool_decided', facts), ...subjectOf(facts), decision, decided_by: by, ...more }
}

export function finishedEntry(facts: CallFacts, isError: boolean): ToolEntry {
  return { ...entry('tool_finished', facts), ...subjectOf(facts), detail: { is_error: isError } }
}

/** What ran is not what was decided about. */
export function otherwiseEntry(facts: CallFacts, ran: Pick<ToolEntry, 'input' | 'input_hash'>): ToolEntry {
  const detail = { decided_input_hash: facts.inputHash }
  return { ...entry('tool_ran_otherwise', facts), ...subjectOf(facts), ...ran, detail }
}

function subjectOf({ subject }: CallFacts): Pick<ToolEntry, 'subject'> {
  return subject === undefined || subject === '' || subject === '{}' ? {} : { subject }
}

function entry(action: string, facts: CallFacts): ToolEntry {
  return {
    action,
    session_id: facts.sessionId,
    ...(facts.workspaceId !== undefined && { workspace_id: facts.workspaceId }),
    ...(facts.turnId !== undefined && { turn_id: facts.turnId }),
    ...(facts.toolCallId !== undefined && { tool_call_id: facts.toolCallId }),
    tool: facts.tool,
    ...(facts.inputHash !== undefined && { input_hash: facts.inputHash }),
    ...(facts.permissionMode !== undefined && { permission_mode: facts.permissionMode }),
    principal: facts.principal,
  }
}
