/** A hold whose server is the test itself. */
import { type Catalogue, type CatalogueTool, emptyCatalogue } from '../../src/catalogue/catalogue.ts'
import type { ServerState, ServerStatus } from '../../src/server-status.ts'
import type { ServerChange, ServerHold, ToolCallOptions } from '../../src/supervisor/supervised-server.ts'

interface UpstreamRequest {
  method: string
  params: Record<string, unknown>
  options: ToolCallOptions
  resolve(result: Record<string, unknown>): void
  reject(error: Error): void
}

export interface FakeHold extends ServerHold {
  readonly requests: UpstreamRequest[]
  released: number
  /** Resolves with the next request, or one that has come already and was not taken. */
  next(): Promise<UpstreamRequest>
  setState(state: ServerState): void
  offer(parts: Partial<Catalogue>): void
  emit(change: ServerChange): void
  readonly listeners: number
}

export const aTool = (name: string, extra: Partial<CatalogueTool> = {}): CatalogueTool => ({
  name,
  inputSchema: { type: 'object' },
  ...extra,
})

export function fakeHold(parts: Partial<Catalogue> = {}): FakeHold {
  let catalogue: Catalogue = { ...emptyCatalogue, ...parts }
  let state: ServerState = 'connected'
  const listeners = new Set<(change: ServerChange) => void>()
  const requests: UpstreamRequest[] = []
  const waiting: ((request: UpstreamRequest) => void)[] = []
  let taken = 0
  const emit = (change: ServerChange) => {
    for (const listener of [...listeners]) listener(change)
  }
  return {
    entry: {
      name: 'up',
      launch: { type: 'http', url: 'http://127.0.0.1/', headers: {} },
      sharing: 'shared',
      timeoutMs: 1000,
    },
    requests,
    released: 0,
    get listeners() {
      return listeners.size
    },
    status: () => ({ ...emptyStatus, state, serverInfo: { name: 'Up\u200bstream', version: '7' } }),
    catalogue: () => catalogue,
    request(method, params, options = {}) {
      return new Promise((resolve, reject) => {
        const request = { method, params, options, resolve, reject }
        requests.push(request)
        const waiter = waiting.shift()
        if (!waiter) return
        taken++
        waiter(request)
      })
    },
    next() {
      const request = requests[taken]
      if (!request) return new Promise((resolve) => waiting.push(resolve))
      taken++
      return Promise.resolve(request)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    release() {
      this.released++
    },
    setState(next) {
      state = next
      emit({ type: 'status' })
    },
    offer(next) {
      catalogue = { ...emptyCatalogue, ...next }
      emit({ type: 'catalogue' })
    },
    emit,
  }
}

const emptyStatus: ServerStatus = {
  key: 'up-1',
  name: 'up',
  state: 'connected',
  since: 0,
  error: undefined,
  stderr: [],
  pids: [],
  ownConnections: 0,
  connectMs: undefined,
  nextTryAt: undefined,
  failures: 0,
  serverInfo: undefined,
  protocolVersion: undefined,
  tools: 0,
  resources: 0,
  prompts: 0,
  sessions: 1,
  asksForInput: false,
  history: [],
  stats: {},
}
