/** The session behind a `query()`. With `continue`, which one it is must be looked up first. */
import { type ConversationChoice, toArguments } from '../launch/arguments.ts'
import { createSession } from '../launch/create-session.ts'
import { toEnvironment } from '../launch/environment.ts'
import { latestSession } from '../launch/latest-session.ts'
import { rawMapper } from '../session/messages.ts'
import type { SessionCore } from '../session/session-core.ts'
import { checkServers } from '../tools/server-config.ts'
import type { SplitQueryOptions } from './query-options.ts'

/** Throws at once where the options cannot work, also when it has to look first. */
export function createQuerySession(
  { session, conversation, continueLatest, spawn }: SplitQueryOptions,
  keepAlive: boolean,
): SessionCore | Promise<SessionCore> {
  const create = (choice: ConversationChoice) =>
    createSession({
      options: session,
      conversation: choice,
      keepAlive,
      replaceEnv: true,
      mapper: rawMapper,
      pausable: false,
      spawn,
    })
  if (!continueLatest) return create(conversation)
  checkServers(session.mcpServers ?? {})
  toArguments(session, { ...conversation, fork: false })
  const env = toEnvironment(session, process.env, true)
  return latestSession(session.cwd, env).then((resume) =>
    create({ ...conversation, resume, fork: resume !== undefined && conversation.fork }),
  )
}
