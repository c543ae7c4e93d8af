/** A client whose streams a test holds in its hands: what was asked for, and what comes when. */
import type { ApiClient, ConnectionState, FollowAllOptions, StreamFrame } from '@dorkos/shared'
import type { LeaderTab } from '../../src/live/leader-tab.ts'
import type { PagePresence } from '../../src/live/page-presence.ts'

type Client = Pick<ApiClient, 'followAll' | 'getSession' | 'getHistory' | 'listApprovals'>

export class FakeStream {
  readonly sessions: readonly string[]
  /** As it would be sent. */
  readonly lastEventId: string | undefined
  readonly #options: FollowAllOptions
  readonly #waiting: StreamFrame[] = []
  #fault: Error | undefined
  #wake: () => void = () => {}

  constructor(options: FollowAllOptions) {
    this.#options = options
    this.sessions = options.sessions
    this.lastEventId = options.cursor?.lastEventId(options.sessions)
    options.signal?.addEventListener('abort', () => this.#wake())
  }

  get isOpen(): boolean {
    return this.#options.signal?.aborted !== true
  }

  state(state: ConnectionState): void {
    this.#options.onState?.(state)
  }

  heard(): void {
    this.#options.onHeard?.()
  }

  send(...frames: StreamFrame[]): Promise<void> {
    this.#waiting.push(...frames)
    this.#wake()
    return settled()
  }

  fail(error: Error): Promise<void> {
    this.#fault = error
    this.#wake()
    return settled()
  }

  async *frames(): AsyncGenerator<StreamFrame, void, undefined> {
    while (this.isOpen) {
      yield* this.#waiting.splice(0)
      if (this.#fault) throw this.#fault
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/** What was begun by now has gone as far as it can without time. */
export async function settled(): Promise<void> {
  for (let n = 0; n < 30; n++) await Promise.resolve()
}

export function fakeClient(answers: Partial<Client> = {}) {
  const streams: FakeStream[] = []
  const client: Client = {
    followAll(options) {
      const stream = new FakeStream(options)
      streams.push(stream)
      return stream.frames()
    },
    getHistory: async () => ({ events: [] }),
    listApprovals: async () => ({ approvals: [], server_time: new Date().toISOString() }),
    getSession: () => Promise.reject(new Error('not foreseen')),
    ...answers,
  }
  return {
    client,
    streams,
    get stream(): FakeStream {
      const last = streams.at(-1)
      if (!last) throw new Error('no stream was opened')
      return last
    },
  }
}

export function fakePage() {
  const listeners = { visibility: new Set<() => void>(), back: new Set<() => void>() }
  const state = { hidden: false, online: true }
  const added = (set: Set<() => void>) => (listener: () => void) => {
    set.add(listener)
    return () => set.delete(listener)
  }
  const page: PagePresence = {
    isHidden: () => state.hidden,
    isOnline: () => state.online,
    onVisibility: added(listeners.visibility),
    onReturn: added(listeners.back),
  }
  return {
    page,
    set online(online: boolean) {
      state.online = online
    },
    hide(hidden: boolean) {
      state.hidden = hidden
      for (const listener of listeners.visibility) listener()
    },
    comeBack() {
      for (const listener of listeners.back) listener()
    },
  }
}

export function fakeLeader() {
  let leads = false
  let onLead: () => void = () => {}
  const leader: LeaderTab = {
    isLeader: () => leads,
    start: (listener) => {
      onLead = listener
    },
    stop: () => {
      leads = false
    },
  }
  return {
    leader,
    lead() {
      leads = true
      onLead()
    },
  }
}
