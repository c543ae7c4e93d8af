/** The official option names → ours. */
import type { ConversationChoice } from '../launch/arguments.ts'
import type { SessionOptions } from '../options.ts'
import type { SpawnProcess } from '../transport/spawned-process.ts'

/** Options of `query()`: those of a session, under the names that the official SDK uses for some of them. */
export interface QueryOptions extends Omit<SessionOptions, 'cliPath' | 'executable' | 'transport'> {
  abortController?: AbortController
  resume?: string
  continue?: boolean
  forkSession?: boolean
  sessionId?: string
  resumeSessionAt?: string
  resumeDropsTurn?: string
  pathToClaudeCodeExecutable?: string
  executable?: string
  /** REPLACES the environment, as in the official SDK. `ClaudeCodeAgent` lays it over the program's own instead. */
  env?: Record<string, string | undefined>
  /** Starts the process yourself. */
  spawnClaudeCodeProcess?: SpawnProcess
}

export interface SplitQueryOptions {
  session: SessionOptions
  conversation: ConversationChoice
  abortController: AbortController | undefined
  spawn: SpawnProcess | undefined
}

export function splitQueryOptions(options: QueryOptions): SplitQueryOptions {
  const {
    abortController,
    resume,
    continue: continueLatest,
    forkSession: fork,
    sessionId,
    resumeSessionAt: resumeAt,
    resumeDropsTurn,
    pathToClaudeCodeExecutable: cliPath,
    spawnClaudeCodeProcess: spawn,
    ...session
  } = options
  return {
    // The official default is an empty system prompt, not Claude Code's.
    session: { systemPrompt: [''], ...session, ...(cliPath !== undefined && { cliPath }) },
    conversation: { resume, continueLatest, fork, sessionId, resumeAt, resumeDropsTurn },
    abortController,
    spawn,
  }
}
