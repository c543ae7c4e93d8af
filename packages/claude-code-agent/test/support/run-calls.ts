import { join } from 'node:path'
import { type Step, toolUse } from '@dorkos/testkit'
import { expect } from 'vitest'
import type { AgentOptions } from '../../src/index.ts'
import { type OfflineAgent, startOfflineAgent } from './offline-agent.ts'

/** A call of the Write tool for a file of the project. */
export const write = (run: OfflineAgent, name: string, content: string) =>
  toolUse('Write', { file_path: join(run.cwd, name), content })

/** Runs one turn in which the model makes these calls one after another, then says it is done. */
export async function runCalls(
  options: AgentOptions,
  calls: (run: OfflineAgent) => Step[],
  check: (run: OfflineAgent) => Promise<void> | void,
  environment = {},
): Promise<void> {
  await using run = await startOfflineAgent([], options, environment)
  run.model.push(...calls(run), 'done')
  const session = await run.agent.startSession({ prompt: 'go' })
  const { state, outcome } = await session.waitForCompletion()
  expect({ state, outcome, problems: run.model.problems }).toEqual({
    state: 'completed',
    outcome: 'completed',
    problems: [],
  })
  await check(run)
}
