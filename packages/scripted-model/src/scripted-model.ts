import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { handlerOf } from './model-handler.ts'
import type { ModelRequest } from './model-request.ts'
import type { Step } from './reply.ts'
import { RequestLog, type RequestMatcher } from './request-log.ts'
import { type Script, type ScriptFunction, ScriptPlayer } from './script.ts'

export interface ScriptedModelOptions {
  /** 0, the default, takes a free one. */
  port?: number
  /** Answers the CLI's own requests, which never reach the script. */
  side?: ScriptFunction
}

export interface WaitOptions {
  /** 10 seconds if absent. */
  timeoutMs?: number
}

export interface ScriptedModel extends AsyncDisposable {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string
  readonly port: number
  /** Every request to `/v1/messages` in order of arrival, side requests too. */
  readonly requests: readonly ModelRequest[]
  /** What went wrong with the script itself: it ran out, or its function threw. */
  readonly problems: readonly string[]
  /** Steps of the list that have not been played. */
  readonly remaining: number
  /** More steps. With a function as the script they are played before it is asked again. */
  push(...steps: Step[]): void
  /**
   * The n-th request of an agent (from 1, side requests not counted), or the first that matches; at once where it has
   * come already. Rejects after the timeout and when the model is closed.
   */
  waitForRequest(which: RequestMatcher, options?: WaitOptions): Promise<ModelRequest>
  /** Drops what is open and stops listening. Safe to call twice. */
  close(): Promise<void>
}

const CLOSE_LIMIT_MS = 2_000

/** Starts a Messages API on 127.0.0.1 that answers from a script. */
export async function startScriptedModel(
  script: Script,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const player = new ScriptPlayer(script)
  const log = new RequestLog()
  const handle = handlerOf(player, {
    ...(options.side && { side: options.side }),
    onRequest: (request) => log.add(request),
  })
  const server = createServer((request, response) => void handle(request, response))
  server.requestTimeout = 0
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    log.close()
    await closeServer(server)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: log.requests,
    problems: player.problems,
    get remaining() {
      return player.remaining
    },
    push: (...steps) => player.push(steps),
    waitForRequest: (which, { timeoutMs = 10_000 } = {}) => log.waitFor(which, timeoutMs),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await Promise.race([closed, delay(CLOSE_LIMIT_MS, undefined, { ref: false })])
}
