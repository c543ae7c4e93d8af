/** The official option names → ours. */
import { InvalidOptionsError } from '../errors.ts'
import type { ConversationChoice } from '../launch/arguments.ts'
import type { SessionOptions } from '../options.ts'
import { findCli } from '../transport/find-cli.ts'
import type { SpawnProcess } from '../transport/spawned-process.ts'

/** Options of `query()`: those of a session, under the names that the official SDK uses for some of them. */
export interface QueryOptions extends Omit<SessionOptions, 'cliPath' | 'executable' | 'transport'> {
  /** Ends the agent when aborted; the iteration then throws an `AbortError`. */
  abortController?: AbortController
  /** The session to go on with. */
  resume?: string
  /** Goes on with the newest session of the directory, or starts one where there is none. */
  continue?: boolean
  /** With `resume` or `continue`: as a new session, which leaves the old one as it is. */
  forkSession?: boolean
  /** The id of the new session. */
  sessionId?: string
  /** With `resume`: only up to and including this message. */
  resumeSessionAt?: string
  /** With `resumeSessionAt`: the turn that is to be dropped; refused where anything else would be lost. */
  resumeDropsTurn?: string
  pathToClaudeCodeExecutable?: string
  executable?: string
  /** REPLACES the environment, as in the official SDK. `ClaudeCodeAgent` lays it over the program's own instead. */
  env?: Record<string, string | undefined>
  /** Every message reaches the model as it is written: no `@path` and no slash command in it has a meaning. */
  verbatimPrompts?: boolean
  /** Starts the process yourself. */
  spawnClaudeCodeProcess?: SpawnProcess
}

export interface SplitQueryOptions {
  session: SessionOptions
  conversation: ConversationChoice
  continueLatest: boolean
  abortController: AbortController | undefined
  verbatim: boolean
  spawn: SpawnProcess | undefined
}

export function splitQueryOptions(options: QueryOptions): SplitQueryOptions {
  const {
    abortController,
    resume,
    continue: continueLatest = false,
    forkSession: fork,
    sessionId,
    resumeSessionAt: resumeAt,
    resumeDropsTurn,
    pathToClaudeCodeExecutable,
    verbatimPrompts: verbatim = false,
    spawnClaudeCodeProcess: spawn,
    ...session
  } = options
  if (continueLatest && resume !== undefined)
    throw new InvalidOptionsError('continue and resume exclude each other: one of them names the session')
  if (continueLatest && sessionId !== undefined && !fork)
    throw new InvalidOptionsError('sessionId: a session that is continued keeps its id, unless it is forked')
  const cliPath = pathToClaudeCodeExecutable ?? (spawn && installedCli(session.env))
  return {
    // The official default is an empty system prompt, not Claude Code's.
    session: { systemPrompt: [''], ...session, ...(cliPath !== undefined && { cliPath }) },
    conversation: { resume, fork, sessionId, resumeAt, resumeDropsTurn },
    continueLatest,
    abortController,
    verbatim,
    spawn,
  }
}

/** What a custom spawn is asked to run. It may run it elsewhere, so one that is not found here is no error. */
function installedCli(env: QueryOptions['env']): string | undefined {
  try {
    return findCli({ cliPath: undefined, env: { ...process.env, ...env } }).path
  } catch {
    return undefined
  }
}
