/** One session for several cases, each of which has turns of its own in it: a launch of the CLI costs ten times what a turn does. */
import type { EndpointBody, Turn } from '@dorkos/shared'
import { onTestFinished } from 'vitest'
import { Conversation } from './conversation.ts'
import type { Host } from './start-host.ts'

type Server = Pick<Host, 'client'>

export class CommonSession {
  readonly #whole: Conversation
  #turn: Turn | undefined

  private constructor(whole: Conversation) {
    this.#whole = whole
  }

  static async open(host: Server, body: EndpointBody<'createSession'> = {}): Promise<CommonSession> {
    return new CommonSession(await Conversation.open(host, body))
  }

  get params(): { id: string } {
    return this.#whole.params
  }

  /** The session as clients of these servers see it from now on, until the case ends. No turn of a case before runs any more. */
  async seenBy<const Servers extends Server[]>(
    ...servers: Servers
  ): Promise<{ [N in keyof Servers]: Conversation }> {
    if (this.#turn) await this.#whole.end(this.#turn)
    const last = this.#whole.watch.events.at(-1)?.id
    const seen = servers.map((server) => new Conversation(server, this.#whole.id, last))
    onTestFinished(() => Promise.all(seen.map(({ watch }) => watch.close())).then(() => undefined))
    return seen as { [N in keyof Servers]: Conversation }
  }

  async send(content: string): Promise<Turn> {
    this.#turn = await this.#whole.send(content)
    return this.#turn
  }

  async close(): Promise<void> {
    await this.#whole.close()
  }
}
