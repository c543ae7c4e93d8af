/** `propose_commit_message`: what a person may use for a commit. Nothing is committed. */
import type { ServerToolDeps } from './mcp-tool-deps.ts'
import { answering } from './tool-answer.ts'
import { visibilityFor } from './visible-sessions.ts'

export function createProposeCommitHandler(deps: Pick<ServerToolDeps, 'proposeCommit' | 'visibilityOf'>) {
  return answering<{ message: string }>('Failed to keep the message', async ({ message }, caller) => {
    const { actor } = await visibilityFor(deps, caller)
    if (actor.via.kind !== 'agent') throw new Error('There is no session to propose it for.')
    await deps.proposeCommit(actor.via.sessionId, message)
    return { proposed: true }
  })
}
