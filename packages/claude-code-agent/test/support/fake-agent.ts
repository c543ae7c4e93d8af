import { isLiving } from '@dorkos/processes'
import {
  type CliStep,
  type FakeCli,
  type FakeCliOptions,
  fakeCli,
  type LogEntry,
  type Scenario,
} from '@dorkos/testkit'
import {
  type AgentOptions,
  ClaudeCodeAgent,
  type Session,
  type StartSessionOptions,
} from '../../src/index.ts'
import { eventually } from '../transport/script-process.ts'

type Entry<T extends LogEntry['type']> = Extract<LogEntry, { type: T }>

export interface FakeAgent extends AsyncDisposable {
  readonly agent: ClaudeCodeAgent
  readonly cli: FakeCli
  /** What the agent warned of. */
  readonly warnings: string[]
  /** Starts a session; with a prompt unless told otherwise. */
  start(options?: StartSessionOptions): Promise<Session>
  /** Waits for the first entry of a type in the log of the CLI. */
  logged<T extends LogEntry['type']>(type: T): Promise<Entry<T>>
  entries<T extends LogEntry['type']>(type: T): Promise<Entry<T>[]>
  /** Fails unless every process that was started, grandchildren too, is gone within bounds. */
  expectAllGone(): Promise<void>
}

/** An agent on a fake CLI. Disposing it ends its sessions, and fails if a process of theirs is left. */
export function startFakeAgent(
  scenario: Scenario | readonly CliStep[],
  options: AgentOptions = {},
  cliOptions: FakeCliOptions = {},
): FakeAgent {
  const cli = fakeCli(scenario, cliOptions)
  const warnings: string[] = []
  const agent = new ClaudeCodeAgent({
    cliPath: cli.path,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  const expectAllGone = () => expectNoProcess(cli)
  return {
    agent,
    cli,
    warnings,
    start: (start = {}) => agent.startSession({ prompt: 'go', ...start }),
    logged: (type) => logged(cli, type),
    entries: async (type) => entriesOf(await cli.log(), type),
    expectAllGone,
    async [Symbol.asyncDispose]() {
      try {
        await agent.close()
        await expectAllGone()
      } finally {
        await cli.dispose()
      }
    },
  }
}

function entriesOf<T extends LogEntry['type']>(log: LogEntry[], type: T): Entry<T>[] {
  return log.filter((entry): entry is Entry<T> => entry.type === type)
}

export async function logged<T extends LogEntry['type']>(cli: FakeCli, type: T): Promise<Entry<T>> {
  let found: Entry<T> | undefined
  for (let tries = 0; tries < 1000 && !found; tries++) {
    found = entriesOf(await cli.log(), type)[0]
    if (!found) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  if (!found) throw new Error(`the fake CLI did not log '${type}'`)
  return found
}

export async function expectNoProcess(cli: FakeCli): Promise<void> {
  const log = await cli.log()
  const pids = [
    ...entriesOf(log, 'spawn').map((entry) => entry.pid),
    ...entriesOf(log, 'grandchild').map((entry) => entry.grandchildPid),
  ]
  for (const pid of pids) await eventually(`process ${pid} of the fake CLI is gone`, () => !isLiving(pid))
}
