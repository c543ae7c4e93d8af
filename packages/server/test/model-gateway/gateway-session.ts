import { offlineEnvironment, realCliPath } from '@dorkos/testkit'
import {
  type AgentOptions,
  type CanUseToolCallback,
  ClaudeCodeAgent,
  createSdkMcpServer,
  ResultError,
  type SessionMessage,
  tool,
} from 'claude-code-agent'
import type { GatewayFixture } from './gateway-fixture.ts'

export interface GatewaySessionOptions extends AgentOptions {
  variables?: Record<string, string | undefined>
  toolSearch?: boolean
  /** Said after the first turn. */
  andThen?: string
}

export interface CliRun {
  messages: SessionMessage[]
  /** All that the agent said. */
  text: string
  result: Extract<SessionMessage, { type: 'result' }>
  cwd: string
}

/** Runs one message (or two) on the real CLI, which knows nothing but the gateway and its credential, to the end of the session. */
export async function runOnCli(
  { gateway, credential }: GatewayFixture,
  prompt: string,
  { variables, toolSearch = false, andThen, ...options }: GatewaySessionOptions = {},
  check: (run: CliRun) => Promise<void> | void = () => {},
): Promise<CliRun> {
  const extra = { ANTHROPIC_API_KEY: credential, ...variables }
  await using offline = await offlineEnvironment({ model: gateway, extra, toolSearch })
  const agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    env: offline.overlay,
    cwd: offline.cwd,
    ...options,
  })
  try {
    const session = await agent.startSession({ prompt, keepAlive: andThen !== undefined })
    const unsaid = andThen === undefined ? [] : [andThen]
    const messages: SessionMessage[] = []
    try {
      for await (const message of session.messages()) {
        messages.push(message)
        if (message.type !== 'result' || andThen === undefined) continue
        const next = unsaid.shift()
        if (next === undefined) break
        await session.send(next)
      }
    } catch (error) {
      // Thrown after the result of a turn that failed; the result says it all.
      if (!(error instanceof ResultError)) throw error
    }
    const run = summary(messages, offline.cwd)
    await check(run)
    return run
  } finally {
    await agent.close()
  }
}

function summary(messages: SessionMessage[], cwd: string): CliRun {
  const result = messages.findLast((message) => message.type === 'result')
  if (result === undefined) throw new Error('The turn ended without a result')
  const text = messages
    .map((message) => (message.type === 'assistant' ? message.content : ''))
    .filter((said) => said !== '')
    .join('\n')
  return { messages, text, result, cwd }
}

export interface CliSession extends AsyncDisposable {
  /** Runs one message in it, with who is asked about tools. */
  run(prompt: string, canUseTool: CanUseToolCallback | undefined): Promise<CliRun>
}

/** One session like those of `runOnCli` for messages one after the other: a launch of the CLI costs ten times what a turn does. */
export async function openOnCli({ gateway, credential }: GatewayFixture): Promise<CliSession> {
  const offline = await offlineEnvironment({ model: gateway, extra: { ANTHROPIC_API_KEY: credential } })
  let asked: CanUseToolCallback | undefined
  const agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    env: offline.overlay,
    cwd: offline.cwd,
    canUseTool: (...call) => asked?.(...call) ?? { behavior: 'deny', message: 'Nobody was to be asked.' },
  })
  const session = await agent.startSession({ keepAlive: true })
  return {
    async run(prompt, canUseTool) {
      asked = canUseTool
      const messages: SessionMessage[] = []
      const stopListening = session.on('message', (message) => messages.push(message))
      const isIdle = new Promise<void>((resolve) => {
        const stop = session.on('stateChange', ({ to }) => {
          if (to !== 'idle') return
          stop()
          resolve()
        })
      })
      await session.send(prompt)
      await isIdle
      stopListening()
      return summary(messages, offline.cwd)
    },
    async [Symbol.asyncDispose]() {
      await agent.close()
      await offline.dispose()
    },
  }
}

/** A server under the name of DorkOS's own, with as much of it as a test needs. */
export const pingServer = () =>
  createSdkMcpServer({
    name: 'dorkos',
    version: '1.0.0',
    tools: [
      tool('ping', 'Ping', {}, async () => ({ content: [{ type: 'text', text: '{"status":"pong"}' }] })),
    ],
  })
