import type { Script } from '@dorkos/testkit'
import { expect } from 'vitest'
import type { AgentOptions, SessionMessage } from '../../src/index.ts'
import { collect } from './collect.ts'
import { type OfflineAgent, startOfflineAgent } from './offline-agent.ts'

export interface TurnRun {
  run: OfflineAgent
  /** What the model got for its calls, in order. */
  toolResults: { text: string; isError: boolean }[]
  messages: SessionMessage[]
  result: SessionMessage | undefined
}

/** Runs one turn on the real CLI to its end. */
export async function runTurn(
  script: Script,
  options: AgentOptions,
  check: (run: TurnRun) => unknown,
): Promise<void> {
  await using run = await startOfflineAgent(script, options, { sandbox: true })
  const session = await run.agent.startSession({ prompt: 'go' })
  const messages = await collect(session.messages())
  expect(run.model.problems).toEqual([])
  const toolResults = run.model.requests.flatMap((request) =>
    request.toolResults.map(({ text, isError }) => ({ text, isError })),
  )
  await check({ run, toolResults, messages, result: messages.findLast(({ type }) => type === 'result') })
}
