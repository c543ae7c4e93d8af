/** The sessions that the caller of an injected tool may know of. */
import type { Session } from '@dorkos/shared'
import type { McpToolDeps } from './mcp-tool-deps.ts'
import { isTold, type Told } from './told.ts'
import type { ToolCaller } from './tool-answer.ts'

/** A call without a session, as in a test, is the owner's own. */
export async function toldOf(
  deps: Pick<McpToolDeps, 'toldTo'>,
  caller: ToolCaller | undefined,
): Promise<Told> {
  return caller ? deps.toldTo(caller.sessionId) : { kind: 'all' }
}

/** Newest first. */
export async function toldSessions(
  { sessions }: Pick<McpToolDeps, 'sessions'>,
  told: Exclude<Told, { kind: 'all' }>,
  query: { limit: number; archived?: boolean } = { limit: 200 },
): Promise<Session[]> {
  if (told.kind === 'session') return [await sessions.get(told.sessionId)]
  const found = await sessions.list({ ...query, workspace_id: told.workspaceId })
  return found.sessions.filter((session) => isTold(told, session))
}
