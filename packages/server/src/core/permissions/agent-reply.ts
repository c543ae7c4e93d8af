import type { PermissionMode } from '@dorkos/shared'
import type { ElicitationAnswer, PermissionAnswer } from '../ports/agent.ts'

/** The answer to the waiting agent, for every kind of approval. */
export type AgentReply =
  | {
      kind: 'allow'
      /** Runs in place of the input. For an elicitation: the form's content. */
      input?: Record<string, unknown>
      permissionMode?: PermissionMode
    }
  /** `declined`: a person said no, where they could also have closed it. */
  | { kind: 'deny'; message: string; interrupt?: boolean; declined?: boolean }

export function toPermissionAnswer(reply: AgentReply, input: Record<string, unknown>): PermissionAnswer {
  if (reply.kind === 'deny') {
    return { behavior: 'deny', message: reply.message, ...(reply.interrupt && { interrupt: true }) }
  }
  return {
    behavior: 'allow',
    updatedInput: reply.input ?? input,
    ...(reply.permissionMode && { permissionMode: reply.permissionMode }),
  }
}

/** `decline` is a person's no; whatever else ends it without an answer is `cancel`. */
export function toElicitationAnswer(reply: AgentReply): ElicitationAnswer {
  if (reply.kind === 'allow') return { action: 'accept', ...(reply.input && { content: reply.input }) }
  return { action: reply.declined ? 'decline' : 'cancel' }
}
