/** Puts open approvals to the person at the terminal, one after the other, and sends what they answer. */
import { type ApiClient, ApiError, type Approval } from '@dorkos/shared'
import type { Rights } from '../rights.ts'
import { askApproval } from '../terminal/ask-approval.ts'
import { safeText } from '../terminal/escape.ts'
import type { Asker } from '../terminal/line-asker.ts'
import { toolSubject, toolTitle } from '../terminal/render-tool.ts'
import type { Style } from '../terminal/style.ts'

export interface ApprovalAnswersOptions {
  client: ApiClient
  rights: Rights
  /** Absent: nobody is there to be asked. */
  asker: Asker | undefined
  /** Writes whole lines, also while other output is held back. */
  notify: (text: string) => void
  /** A question is open: other output waits. */
  hold: () => void
  release: () => void
  style: Style
  /** Where else they can be answered, in words. */
  elsewhere: string
}

export class ApprovalAnswers {
  readonly #options: ApprovalAnswersOptions
  readonly #waiting = new Map<string, { approval: Approval; settled: AbortController }>()
  readonly #wasPut = new Set<string>()
  #isAsking = false

  constructor(options: ApprovalAnswersOptions) {
    this.#options = options
  }

  /** An approval is open. Offering the same one again is harmless. */
  offer(approval: Approval): void {
    if (approval.state !== 'pending' || this.#waiting.has(approval.id)) return
    this.#waiting.set(approval.id, { approval, settled: new AbortController() })
    if (!this.#isAsking) void this.#work()
  }

  /** It was decided, here or elsewhere: the question is taken back. */
  settled(approvalId: string): void {
    this.#waiting.get(approvalId)?.settled.abort()
    this.#waiting.delete(approvalId)
  }

  /** Asks again about those that were left open. Answers with how many there are. */
  askAgain(): number {
    this.#wasPut.clear()
    if (!this.#isAsking && this.#waiting.size > 0) void this.#work()
    return this.#waiting.size
  }

  /** Takes back every question. */
  close(): void {
    for (const id of [...this.#waiting.keys()]) this.settled(id)
  }

  async #work(): Promise<void> {
    this.#isAsking = true
    try {
      for (;;) {
        const next = [...this.#waiting.values()].find(({ approval }) => !this.#wasPut.has(approval.id))
        if (!next) return
        this.#wasPut.add(next.approval.id)
        this.#options.hold()
        try {
          await this.#put(next.approval, next.settled.signal)
        } catch (error) {
          this.#options.notify(`${safeText(error instanceof Error ? error.message : String(error))}\n`)
        } finally {
          this.#options.release()
        }
      }
    } finally {
      this.#isAsking = false
    }
  }

  async #put(approval: Approval, signal: AbortSignal): Promise<void> {
    const { asker, rights, notify } = this.#options
    if (!asker || rights.wasDeclined) return this.#leaveOpen(approval)
    if (!rights.canApprove) {
      notify(`${aboutOf(approval)}\n`)
      const isGiven = await rights.askForCode({ asker, notify, purpose: 'To answer here', signal })
      if (signal.aborted) return
      if (!isGiven) return this.#leaveOpen(approval)
    }
    for (;;) {
      const answer = await askApproval({ asker, notify, style: this.#options.style, signal }, approval)
      if (signal.aborted) return
      if (!answer) return this.#leaveOpen(approval)
      if (await this.#send(approval, answer)) return
    }
  }

  /** False: the answer did not fit, and another may. */
  async #send(
    approval: Approval,
    answer: Parameters<ApiClient['answerApproval']>[0]['body'],
  ): Promise<boolean> {
    try {
      await this.#options.client.answerApproval({ params: { id: approval.id }, body: answer })
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#options.notify(`${safeText(error.message)}\n`)
      return error.code !== 'invalid_request'
    }
  }

  #leaveOpen(approval: Approval): void {
    const { notify, elsewhere } = this.#options
    notify(`${aboutOf(approval)}: left open until ${approval.deadline}. ${elsewhere}\n`)
  }
}

function aboutOf({ tool, input }: Approval): string {
  return `! The agent needs an answer about ${toolTitle(tool)} ${toolSubject(input)}`.trim().slice(0, 300)
}
