/** One session as a client sees it: made, followed from its first event on, and spoken to. */
import type { ApprovalAnswer, EndpointBody, EventOf, Session, Turn } from '@dorkos/shared'
import { type Host, Watch } from './start-host.ts'

/** All that it needs of a host. */
type Server = Pick<Host, 'client'>

export class Conversation {
  readonly id: string
  readonly watch: Watch
  readonly #host: Server
  readonly #answered = new Set<string>()

  constructor(host: Server, sessionId: string, lastEventId?: string) {
    this.#host = host
    this.id = sessionId
    this.watch = new Watch(host.client, sessionId, lastEventId)
  }

  static async open(host: Server, body: EndpointBody<'createSession'> = {}): Promise<Conversation> {
    const { session } = await host.client.createSession({ body })
    return new Conversation(host, session.id)
  }

  get params(): { id: string } {
    return { id: this.id }
  }

  session(): Promise<Session> {
    return this.#host.client.getSession({ params: this.params })
  }

  async send(content: string, delivery: 'queue' | 'steer' = 'queue'): Promise<Turn> {
    const { turn } = await this.#host.client.sendMessage({ params: this.params, body: { content, delivery } })
    return turn
  }

  /** Sends a message and waits for the end of its turn. */
  async say(content: string): Promise<EventOf<'turn_end'>> {
    return this.end(await this.send(content))
  }

  end({ id }: { id: string }): Promise<EventOf<'turn_end'>> {
    return this.watch.next('turn_end', ({ turn_id }) => turn_id === id)
  }

  /** The end of the n-th turn, from 1. */
  async endOf(n: number): Promise<EventOf<'turn_end'>> {
    return this.watch.next('turn_end', (event) => this.watch.of('turn_end').indexOf(event) === n - 1)
  }

  /** Answers the next approval that was not answered yet; returns it as it was asked. */
  async answer(answer: ApprovalAnswer = { decision: 'allow', scope: 'once' }) {
    const { approval } = await this.watch.next(
      'approval_required',
      (event) => !this.#answered.has(event.approval.id),
    )
    this.#answered.add(approval.id)
    await this.#host.client.answerApproval({ params: { id: approval.id }, body: answer })
    return approval
  }

  /** The turn's record, as the server keeps it. */
  async turn(id: string): Promise<Turn | undefined> {
    const { turns } = await this.#host.client.listTurns({ params: this.params })
    return turns.find((turn) => turn.id === id)
  }

  /** The JSON that the n-th tool call returned, from 1. */
  result(n = 1): unknown {
    const result = this.watch.of('tool_result')[n - 1]
    return JSON.parse(String(result?.content[0]?.text))
  }

  /** Ends its process, so that a file's sessions do not all live at once. */
  async close(): Promise<void> {
    await this.watch.close()
    await this.#host.client.stopSession({ params: this.params, body: {} }).catch(() => undefined)
  }
}
