/**
 * Answers on their way. One place for all cards that show the same approval, so that none is answered twice from this page, and
 * so that a card that comes back (another page, the inbox) shows what became of the answer.
 */
import {
  type AllowScope,
  ApiError,
  type Approval,
  type ApprovalAnswer,
  approvalSchema,
  NetworkError,
} from '@dorkos/shared'
import { useSyncExternalStore } from 'react'
import { api, errorText } from '../api.ts'
import type { Decision } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { decisionOf } from './decision.ts'

export type Answering =
  | { readonly state: 'idle' }
  | { readonly state: 'busy' }
  /** It is still open as far as is known. `lost`: no answer came back, so the same may be sent again. */
  | {
      readonly state: 'failed'
      readonly lost: boolean
      readonly fault: string
      readonly answer: ApprovalAnswer
    }
  /** Decided: by this answer (`mine`), or by what came before it. */
  | {
      readonly state: 'settled'
      readonly mine: boolean
      readonly decision: Decision
      readonly scope: AllowScope | undefined
    }

type Send = (id: string, answer: ApprovalAnswer) => Promise<Approval>

export interface Answers {
  get(id: string): Answering
  /** Does nothing while an answer is on its way, or once it is decided. Never rejects. */
  send(id: string, answer: ApprovalAnswer): Promise<Answering>
  /** A refused answer is no longer shown. */
  clear(id: string): void
  subscribe(listener: () => void): () => void
}

const idle: Answering = { state: 'idle' }
const mostKept = 500

export function createAnswers(send: Send): Answers {
  const states = new Map<string, Answering>()
  const listeners = new Set<() => void>()
  const set = (id: string, state: Answering): Answering => {
    states.delete(id)
    states.set(id, state)
    if (states.size > mostKept) {
      const oldest = [...states].find(([, { state: kept }]) => kept === 'settled')
      if (oldest) states.delete(oldest[0])
    }
    for (const listener of listeners) listener()
    return state
  }
  return {
    get: (id) => states.get(id) ?? idle,
    async send(id, answer) {
      const now = states.get(id)
      if (now?.state === 'busy' || now?.state === 'settled') return now
      set(id, { state: 'busy' })
      try {
        return set(id, settledBy(await send(id, answer), answer))
      } catch (error) {
        return set(id, afterError(error, answer))
      }
    },
    clear(id) {
      if (states.get(id)?.state === 'failed') set(id, idle)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function settledBy(approval: Approval, answer: ApprovalAnswer): Answering {
  const decision = decisionOf(approval)
  if (!decision) return { state: 'failed', lost: true, fault: text.ui.unknownError, answer }
  return { state: 'settled', mine: true, decision, scope: scopeOf(answer) }
}

function scopeOf(answer: ApprovalAnswer): AllowScope | undefined {
  return answer.decision === 'allow' ? answer.scope : undefined
}

/**
 * A second answer loses, also one's own that is sent again because the first seemed lost: the server then returns the decision
 * that stands.
 */
function afterError(error: unknown, answer: ApprovalAnswer): Answering {
  if (error instanceof ApiError && error.code === 'already_answered') {
    const decision = decisionOfDetails(error.details)
    if (decision) return { state: 'settled', mine: false, decision, scope: undefined }
  }
  const lost = error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)
  return { state: 'failed', lost, fault: errorText(error), answer }
}

const decided = approvalSchema.pick({ state: true, decided_at: true, decided_by: true, message: true })

function decisionOfDetails(details: unknown): Decision | undefined {
  const parsed = decided.safeParse(details)
  if (!parsed.success || parsed.data.state === 'pending') return undefined
  const { state, decided_at, decided_by, message } = parsed.data
  const time = decided_at ?? new Date().toISOString()
  return { state, by: decided_by, time, message, edited: false, answer: undefined }
}

export const answers: Answers = createAnswers((id, answer) =>
  api.answerApproval({ params: { id }, body: answer }),
)

export function useAnswering(id: string): Answering {
  return useSyncExternalStore(answers.subscribe, () => answers.get(id))
}
