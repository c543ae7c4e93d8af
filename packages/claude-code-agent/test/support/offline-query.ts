import {
  type Offline,
  realCliPath,
  type Script,
  type StartOfflineOptions,
  startOffline,
} from '@dorkos/testkit'
import {
  type Query,
  type QueryOptions,
  type QueryParameters,
  query,
  type SDKMessage,
} from '../../src/index.ts'

export interface OfflineQuery extends AsyncDisposable {
  readonly offline: Offline
  readonly model: Offline['model']
  readonly cwd: string
  query(prompt: QueryParameters['prompt'], options?: QueryOptions): Query
}

/** `query()` on the real CLI, which reads no settings and talks to a scripted model. */
export async function startOfflineQuery(
  script: Script,
  environment: StartOfflineOptions = {},
): Promise<OfflineQuery> {
  const offline = await startOffline(script, environment)
  const base: QueryOptions = {
    env: offline.env,
    cwd: offline.cwd,
    settingSources: [],
    pathToClaudeCodeExecutable: realCliPath(),
  }
  const started: Query[] = []
  return {
    offline,
    model: offline.model,
    cwd: offline.cwd,
    query(prompt, options) {
      const made = query({ prompt, options: { ...base, ...options } })
      started.push(made)
      return made
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((one) => one.return()))
      await offline.dispose()
    },
  }
}

/** Reads up to and including the next result. */
export async function nextResult(messages: Query): Promise<SDKMessage> {
  for (let next = await messages.next(); !next.done; next = await messages.next())
    if (next.value.type === 'result') return next.value
  throw new Error('The iteration ended without a result')
}

/** Reads to the end. */
export async function rest(messages: Query): Promise<SDKMessage[]> {
  const all: SDKMessage[] = []
  for await (const message of messages) all.push(message)
  return all
}
