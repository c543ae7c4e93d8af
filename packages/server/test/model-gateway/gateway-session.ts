import { offlineEnvironment, realCliPath } from '@dorkos/testkit'
import {
  type AgentOptions,
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
    const result = messages.findLast((message) => message.type === 'result')
    if (result === undefined) throw new Error('The turn ended without a result')
    const text = messages
      .map((message) => (message.type === 'assistant' ? message.content : ''))
      .filter((said) => said !== '')
      .join('\n')
    const run = { messages, text, result, cwd: offline.cwd }
    await check(run)
    return run
  } finally {
    await agent.close()
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
