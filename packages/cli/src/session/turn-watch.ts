/** Which events belong to the turn of one message, and what became of it. Pure. */
import type { StreamEvent, Turn, TurnOutcome, TurnReasonCode } from '@dorkos/shared'

export interface TurnResult {
  outcome: TurnOutcome
  reason: string | undefined
  reasonCode: TurnReasonCode | undefined
  /** What the agent said last. */
  text: string
  /** Tool calls that were denied. */
  denied: number
  usd: number | undefined
  durationMs: number | undefined
  structuredOutput: unknown
}

type EndedTurn = Pick<Turn, 'outcome' | 'reason' | 'reason_code' | 'structured_output'>

export class TurnWatch {
  readonly #turnId: string
  readonly #said = new Map<string, string>()
  readonly #denied = new Set<string>()
  #isRunning = false
  /** Another turn took the message in: its end is ours. */
  #isJoined = false
  #lastSeen: 'start' | 'end' | undefined
  result: TurnResult | undefined

  constructor(turnId: string) {
    this.#turnId = turnId
  }

  get hasStarted(): boolean {
    return this.#isRunning
  }

  /** Whether the event belongs to the turn. After the turn's end, `result` is set. */
  see(event: StreamEvent): boolean {
    if (this.result) return false
    if (event.type === 'turn_start') {
      this.#lastSeen = 'start'
      if (event.turn_id === this.#turnId) this.#isRunning = true
    }
    if (event.type === 'turn_end') return this.#sawEnd(event)
    if (this.#isRunning) this.#note(event)
    return this.#isRunning
  }

  /** The turn ended while nobody looked: all that is known is its record. */
  endedUnseen(turn: EndedTurn): void {
    this.#finish({
      outcome: turn.outcome ?? 'failed',
      reason: turn.reason,
      reason_code: turn.reason_code,
      structured_output: turn.structured_output,
    })
  }

  #sawEnd(event: Extract<StreamEvent, { type: 'turn_end' }>): boolean {
    const isOwn = event.turn_id === this.#turnId
    if (isOwn && event.outcome === 'joined') {
      this.#isRunning = true
      this.#isJoined = true
      if (this.#lastSeen === 'end') this.#finish(event)
      return true
    }
    if (event.outcome !== 'joined') this.#lastSeen = 'end'
    const belongs = isOwn || this.#isRunning
    if (isOwn || (this.#isJoined && event.outcome !== 'joined')) this.#finish(event)
    return belongs
  }

  #note(event: StreamEvent): void {
    if (event.type === 'text_delta' && event.parent === undefined) {
      this.#said.set(event.message_id, (this.#said.get(event.message_id) ?? '') + event.text)
    } else if (
      event.type === 'approval_resolved' &&
      (event.state === 'denied' || event.state === 'expired')
    ) {
      this.#denied.add(event.tool_call_id ?? event.approval_id)
    } else if (event.type === 'notice' && event.code === 'permission_denied') {
      this.#denied.add(event.id)
    }
  }

  #finish(end: {
    outcome: TurnOutcome
    reason?: string | undefined
    reason_code?: TurnReasonCode | undefined
    usd?: number | undefined
    duration_ms?: number | undefined
    structured_output?: unknown
  }): void {
    this.result = {
      outcome: end.outcome,
      reason: end.reason,
      reasonCode: end.reason_code,
      text: [...this.#said.values()].at(-1) ?? '',
      denied: this.#denied.size,
      usd: end.usd,
      durationMs: end.duration_ms,
      structuredOutput: end.structured_output,
    }
  }
}
