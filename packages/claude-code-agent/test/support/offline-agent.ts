import {
  type Offline,
  realCliPath,
  type Script,
  type StartOfflineOptions,
  startOffline,
} from '@dorkos/testkit'
import { type AgentOptions, ClaudeCodeAgent } from '../../src/index.ts'

export interface OfflineAgent extends AsyncDisposable {
  readonly agent: ClaudeCodeAgent
  readonly offline: Offline
  readonly model: Offline['model']
  readonly cwd: string
  /** What the agent warned of. */
  readonly warnings: string[]
}

/** An agent on the real CLI that reads no settings and talks to a scripted model; ended and removed together. */
export async function startOfflineAgent(
  script: Script,
  options: AgentOptions = {},
  environment: StartOfflineOptions = {},
): Promise<OfflineAgent> {
  const offline = await startOffline(script, environment)
  const warnings: string[] = []
  const agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    env: offline.overlay,
    cwd: offline.cwd,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  return {
    agent,
    offline,
    model: offline.model,
    cwd: offline.cwd,
    warnings,
    async [Symbol.asyncDispose]() {
      await agent.close()
      await offline.dispose()
    },
  }
}
