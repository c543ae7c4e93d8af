/** One host for the tests of a file. Sessions that a test starts are ended after it; those of `beforeAll` are for all tests. */
import type { EndpointBody, PermissionMode } from '@dorkos/shared'
import { afterAll, afterEach, beforeAll, beforeEach, it } from 'vitest'
import { CommonSession } from './common-session.ts'
import { Conversation } from './conversation.ts'
import { type Answer, Prompts } from './prompts.ts'
import { type Host, type HostOptions, startHost } from './start-host.ts'

export interface UsedHost {
  readonly host: Host
  readonly prompts: Prompts
  /** A session in which the model gives these answers to the first message, one after the other. */
  start(answers: readonly Answer[], body?: EndpointBody<'createSession'>): Promise<Conversation>
  /**
   * A turn with these answers in the one session that cases of the file share, seen from there on: for what does not depend on the session
   * being new.
   */
  turn(answers: readonly Answer[], mode?: PermissionMode): Promise<Conversation>
  /** Follows a session that is there. */
  follow(sessionId: string): Conversation
}

/**
 * `isShared`: the one host of the default configuration that files of a worker share. They leave it as they find it, but for sessions and
 * workspaces of their own.
 */
export type UseHostOptions = (HostOptions & { isShared?: false }) | { isShared: true }

const sharedPrompts = new Prompts()
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which others this one needs.
const withSharedHost = it.extend('sharedHost', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const host = await startHost(sharedPrompts.script)
  onCleanup(() => host.close())
  return host
})
let runs = 0

export function useHost({ isShared, ...options }: UseHostOptions = {}): UsedHost {
  const prompts = isShared ? sharedPrompts : new Prompts()
  const open: Conversation[] = []
  let common: CommonSession | undefined
  let host: Host | undefined
  let ofAll = 0
  const current = (): Host => {
    if (!host) throw new Error('the host runs only within tests')
    return host
  }
  const kept = (conversation: Conversation) => {
    open.push(conversation)
    return conversation
  }
  if (isShared)
    withSharedHost.beforeAll(({ sharedHost }) => {
      host = sharedHost
    })
  else
    beforeAll(async () => {
      host = await startHost(prompts.script, options)
    })
  beforeEach(() => {
    ofAll = open.length
  })
  afterEach(async () => {
    await Promise.all(open.splice(ofAll).map((conversation) => conversation.close()))
  })
  afterAll(async () => {
    await Promise.all(open.splice(0).map((conversation) => conversation.close()))
    await common?.close()
    if (!isShared) await host?.close()
  })
  return {
    get host() {
      return current()
    },
    prompts,
    async turn(answers, mode = 'default') {
      common ??= await CommonSession.open(current())
      const [seen] = await common.seenBy(current())
      await current().client.changeSession({ params: common.params, body: { permission_mode: mode } })
      await common.send(prompts.on(`run ${++runs}`, ...answers))
      return seen
    },
    start: async (answers, body = {}) =>
      kept(await Conversation.open(current(), { content: prompts.on(`run ${++runs}`, ...answers), ...body })),
    follow: (sessionId) => kept(new Conversation(current(), sessionId)),
  }
}
