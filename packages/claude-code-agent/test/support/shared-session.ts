import type { ModelRequest, Script, StartOfflineOptions, Step } from '@dorkos/testkit'
import { afterAll, beforeAll, expect } from 'vitest'
import type { AgentOptions, Session, SessionMessage } from '../../src/index.ts'
import { nextTurn, untilState } from './collect.ts'
import { type OfflineAgent, startOfflineAgent } from './offline-agent.ts'

interface Turn {
  outcome: string
  messages: SessionMessage[]
  result: SessionMessage | undefined
  /** What reached the model in this turn. */
  requests: ModelRequest[]
  /** What the model got for its calls, in order. */
  toolResults: { text: string; isError: boolean }[]
}

export interface SharedSession {
  readonly run: OfflineAgent
  readonly session: Session
  readonly cwd: string
  /** Runs a turn in which the model answers with these steps, until the session is idle again. */
  turn(steps: Step[], prompt?: string): Promise<Turn>
}

/**
 * One session on the real CLI for all cases of a `describe`, each of which has turns of its own in it. The script answers
 * where no steps were given.
 */
export function sharedSession(
  options: AgentOptions,
  environment: StartOfflineOptions = {},
  script: Script = [],
): SharedSession {
  let run: OfflineAgent
  let session: Session
  beforeAll(async () => {
    run = await startOfflineAgent(script, options, environment)
    session = await run.agent.startSession({ keepAlive: true })
  })
  afterAll(async () => {
    await run?.[Symbol.asyncDispose]()
  })
  return {
    get run() {
      return run
    },
    get session() {
      return session
    },
    get cwd() {
      return run.cwd
    },
    turn: (steps, prompt) => runOne(run, session, steps, prompt),
  }
}

async function runOne(run: OfflineAgent, session: Session, steps: Step[], prompt = 'go'): Promise<Turn> {
  const before = run.model.requests.length
  const messages: SessionMessage[] = []
  const stop = session.on('message', (message) => messages.push(message))
  run.model.push(...steps)
  const ended = nextTurn(session)
  await session.send(prompt)
  const outcome = await ended
  await untilState(session, 'idle')
  stop()
  expect({ problems: run.model.problems, remaining: run.model.remaining }).toEqual({
    problems: [],
    remaining: 0,
  })
  const requests = run.model.requests.slice(before).filter(({ kind }) => kind !== 'side')
  const toolResults = requests.flatMap((request) =>
    request.toolResults.map(({ text, isError }) => ({ text, isError })),
  )
  return {
    outcome,
    messages,
    result: messages.findLast(({ type }) => type === 'result'),
    requests,
    toolResults,
  }
}
