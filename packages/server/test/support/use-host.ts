/** One host for the tests of a file. Sessions that they start are ended after each. */
import type { EndpointBody } from '@dorkos/shared'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { Conversation } from './conversation.ts'
import { type Answer, Prompts } from './prompts.ts'
import { type Host, type HostOptions, startHost } from './start-host.ts'

export interface UsedHost {
  readonly host: Host
  readonly prompts: Prompts
  /** A session in which the model gives these answers to the first message, one after the other. */
  start(answers: readonly Answer[], body?: EndpointBody<'createSession'>): Promise<Conversation>
  /** Follows a session that is there. */
  follow(sessionId: string): Conversation
}

export function useHost(options: HostOptions = {}): UsedHost {
  const prompts = new Prompts()
  const open: Conversation[] = []
  let host: Host | undefined
  let runs = 0
  const current = (): Host => {
    if (!host) throw new Error('the host runs only within tests')
    return host
  }
  const kept = (conversation: Conversation) => {
    open.push(conversation)
    return conversation
  }
  beforeAll(async () => {
    host = await startHost(prompts.script, options)
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((conversation) => conversation.close()))
  })
  afterAll(() => host?.close())
  return {
    get host() {
      return current()
    },
    prompts,
    start: async (answers, body = {}) =>
      kept(await Conversation.open(current(), { content: prompts.on(`run ${++runs}`, ...answers), ...body })),
    follow: (sessionId) => kept(new Conversation(current(), sessionId)),
  }
}
