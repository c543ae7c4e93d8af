/** A whole server in this process, with the real CLI and a scripted model behind its model gateway, in folders of its own. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ApiClient,
  createApiClient,
  type EventOf,
  type StreamEvent,
  type StreamEventType,
} from '@dorkos/shared'
import { type Script, type ScriptedModel, startScriptedModel } from '@dorkos/testkit'
import type { Clock } from '../../src/core/ports/clock.ts'
import { type RunningServer, type StartServerOptions, startServer } from '../../src/start-server.ts'

export interface HostOptions {
  /** What `config.jsonc` holds, as a value or as its text. */
  config?: Record<string, unknown> | string
  flags?: Record<string, string | boolean>
  env?: Record<string, string | undefined>
  /** No credentials: the demo model answers. */
  demo?: boolean
  clock?: Clock
  /** Default: the built page, if it is built. */
  pageFolder?: string
  /** Another that it shares the machine with: its account, workspace and model; not its state folder. */
  beside?: Host
  shared?: StartServerOptions['shared']
  leaseMs?: number
}

export interface Host {
  readonly root: string
  readonly home: string
  /** The main workspace. */
  readonly cwd: string
  readonly model: ScriptedModel
  readonly env: Record<string, string | undefined>
  server: RunningServer
  /** With every scope. */
  client: ApiClient
  /** Stops the server and starts one again on the same folders. */
  restart(options?: { graceMs?: number }): Promise<void>
  close(): Promise<void>
}

export async function startHost(script: Script, options: HostOptions = {}): Promise<Host> {
  const { beside } = options
  const root = beside?.root ?? realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-host-')))
  const cwd = join(root, 'workspace')
  const home = beside ? mkdtempSync(join(root, 'state-')) : join(root, 'state')
  mkdirSync(cwd, { recursive: true })
  mkdirSync(home, { recursive: true, mode: 0o700 })
  rememberNpmRoot(home)
  const model = beside?.model ?? (await startScriptedModel(script))
  const env = environment(root, home, model.url, options)
  if (options.config) {
    const { config } = options
    const content = typeof config === 'string' ? config : JSON.stringify(config)
    writeFileSync(join(options.shared?.folder ?? home, 'config.jsonc'), content, { mode: 0o600 })
  }
  const open = () =>
    startServer({
      env,
      flags: { '--port': '0', ...options.flags },
      cwd,
      validateResponses: true,
      ...(options.clock && { clock: options.clock }),
      ...(options.pageFolder !== undefined && { pageFolder: options.pageFolder }),
      ...(options.shared && { shared: options.shared }),
      ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
    })
  const host: Host = {
    root,
    home,
    cwd,
    model,
    env,
    server: await open(),
    client: createApiClient(),
    async restart({ graceMs = 0 } = {}) {
      await host.server.close({ graceMs })
      host.server = await open()
      host.client = await ownerClient(host.server)
    },
    async close() {
      await host.server.close({ graceMs: 0 })
      if (beside) return
      await model.close()
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
      await rm(`${home}-demo`, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
  host.client = await ownerClient(host.server)
  return host
}

/** As on any day but the first: the CLI asks at its first start, and npm needs longer for that than the CLI for a turn. */
function rememberNpmRoot(home: string): void {
  mkdirSync(join(home, 'bin'), { mode: 0o700 })
  writeFileSync(join(home, 'bin', 'npm-root'), join(home, 'no-global-modules'), { mode: 0o600 })
}

async function ownerClient(server: RunningServer): Promise<ApiClient> {
  return createApiClient({ baseUrl: server.url, token: await server.ownToken() })
}

function environment(
  root: string,
  home: string,
  modelUrl: string,
  options: HostOptions,
): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    HOME: root,
    DORKOS_HOME: home,
    TMPDIR: root,
    // As root the CLI takes `bypassPermissions` only where it is told that it is contained.
    IS_SANDBOX: '1',
    // What a test starts is all that runs.
    DORKOS_SPARE_PROCESSES: '0',
    ...(options.demo
      ? {}
      : { ANTHROPIC_API_KEY: 'sk-test-not-a-real-key', DORKOS_ANTHROPIC_BASE_URL: modelUrl }),
    ...options.env,
  }
}

/** Follows a session from its first event on, and keeps what it saw. The very first (of the epoch 1) only says that it is one. */
export class Watch {
  readonly events: StreamEvent[] = []
  readonly #abort = new AbortController()
  readonly #waiting = new Set<() => void>()
  readonly #done: Promise<void>
  #fault: unknown

  constructor(client: ApiClient, sessionId: string, lastEventId = '1-1') {
    this.#done = this.#follow(client, sessionId, lastEventId)
  }

  async #follow(client: ApiClient, sessionId: string, lastEventId: string): Promise<void> {
    try {
      for await (const frame of client.followSession(sessionId, {
        signal: this.#abort.signal,
        lastEventId,
      })) {
        if (frame.frame === 'message') this.events.push(frame.event)
        if (frame.frame === 'snapshot') this.events.push(...frame.snapshot.turn)
        for (const wake of this.#waiting) wake()
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#fault = error
    }
    for (const wake of this.#waiting) wake()
  }

  of<T extends StreamEventType>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type)
  }

  /** The text of everything the agent said. */
  get text(): string {
    return this.of('text_delta')
      .map(({ text }) => text)
      .join('')
  }

  /** The first event of the type that fits, now or later. */
  async next<T extends StreamEventType>(
    type: T,
    fits: (event: EventOf<T>) => boolean = () => true,
  ): Promise<EventOf<T>> {
    for (;;) {
      const found = this.of(type).find(fits)
      if (found) return found
      if (this.#fault) throw this.#fault
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake)
          resolve()
        }
        this.#waiting.add(wake)
      })
    }
  }

  async close(): Promise<void> {
    this.#abort.abort()
    await this.#done
  }
}
