/** The hook runner port: runs one hook as Claude Code would, but with an environment that holds no key. */
import type { ContainerSpec } from './agent.ts'

export interface HookLaunch {
  run: CommandLaunch | HttpLaunch
  cwd: string
  env: Readonly<Record<string, string>>
  timeoutMs: number
  /** Commands run in there; requests are not made. */
  container: ContainerSpec | undefined
}

interface CommandLaunch {
  kind: 'command'
  /** For a shell, unless there are `args`: then it is a program. */
  command: string
  args?: readonly string[]
}

interface HttpLaunch {
  kind: 'http'
  url: string
  headers: Readonly<Record<string, string>>
}

/** How it ended. An answer of a server counts as the output of a command: a status of 200 to 299 is the exit code 0. */
export interface HookEnd {
  outcome: 'ended' | 'cancelled' | 'timed_out' | 'not_started'
  exitCode: number | undefined
  stdout: string
  /** Or why there is none. */
  stderr: string
}

export interface HookRunner {
  /** Whether the CLI would run a hook with this matcher for the tool. */
  matches(matcher: string | undefined, tool: string): boolean
  /** Never rejects. All that the command started is gone when this resolves. */
  run(launch: HookLaunch, input: object, signal: AbortSignal): Promise<HookEnd>
}
