/** What a change of one thing does to others, here and where other servers say that something changed. */
import type { Auth } from '../core/auth.ts'
import type { Costs } from '../core/costs/costs.ts'
import type { ServerHub } from '../core/events/event-hub.ts'
import type { Rules } from '../core/permissions/rules.ts'
import { isoTime } from '../core/ports/clock.ts'
import type { AgentManager } from '../core/sessions/agent-manager.ts'
import type { SessionDirectory } from '../core/sessions/session-directory.ts'
import type { Spares } from '../core/sessions/spares.ts'
import type { ComposeInput } from './compose-input.ts'
import type { OpenMcp } from './mcp.ts'

export interface ChangingParts extends Pick<ComposeInput, 'transcripts'> {
  hub: ServerHub
  auth: Auth
  rules: Rules
  costs: Costs
  directory: SessionDirectory
  mcp: OpenMcp
  spares: Spares
  manager: Pick<AgentManager, 'runners'>
}

/** Each stops with its function. */
export function watchChanges(
  { clock, logger, config, store }: ComposeInput,
  parts: ChangingParts,
): (() => void)[] {
  const { hub, costs, transcripts, directory, auth } = parts
  const { bus } = store
  const logged = (work: Promise<void>, message: string) =>
    void work.catch((error: unknown) => logger.error({ err: error }, message))
  const rereadMcp = async () => {
    await parts.mcp.signIns.reread()
    await parts.mcp.mcp.reread()
  }
  /** Of one workspace, or of all. */
  const checkProcesses = (workspaceId?: string) => {
    for (const runner of parts.manager.runners())
      if (workspaceId === undefined || runner.record.workspaceId === workspaceId)
        logged(runner.checkWorkspace(), 'the workspace of a session could not be looked at')
  }
  return [
    hub.onServer({
      event(event) {
        if (event.type === 'token_changed')
          logged(auth.changed(event.token_id), 'a token that was changed could not be read')
        if (event.type === 'session_changed')
          logged(directory.cliSessions.noteChanged(event.session.id), 'a session could not be read')
        if (event.type === 'rules_changed') parts.rules.reread()
        // Its own file, which is that server's too where they share a folder.
        if (event.type === 'config_changed') config.reread()
        if (event.type === 'mcp_changed' && event.stored)
          logged(rereadMcp(), 'what changed of MCP servers could not be read')
        if (event.type === 'workspace_changed') {
          parts.mcp.workspaceChanged(event.workspace_id)
          parts.spares.endAll()
          checkProcesses(event.workspace_id)
        }
        if (event.type === 'session_deleted') {
          directory.cliSessions.forget(event.session_id)
          parts.mcp.mcp.switches.forget({ kind: 'session', id: event.session_id })
        }
      },
      missed() {
        auth.forgetKnown()
        parts.rules.reread()
        config.reread()
        parts.mcp.mcp.workspaceChanged()
        parts.spares.endAll()
        checkProcesses()
        logged(directory.cliSessions.reread(), 'sessions could not be read')
        logged(rereadMcp(), 'what is stored of MCP servers could not be read')
      },
    }),
    transcripts.onChange((cliId) => {
      const id = directory.cliSessions.sessionOf(cliId)
      const event = { type: 'transcript_changed' as const, time: isoTime(clock.now()), session_id: id }
      bus.publishServer(event, directory.cliSessions.principalOf(id))
    }),
    config.onChange(({ changed, fault }) => {
      parts.mcp.mcp.configChanged(changed)
      parts.spares.endAll()
      if (changed.some((key) => key.startsWith('budgets.') || key === 'sessions.budgetUsd')) {
        costs
          .limitsChanged()
          .catch((error: unknown) => logger.warn({ err: error }, 'changed budgets could not be published'))
      }
      const time = isoTime(clock.now())
      const event = { type: 'config_changed' as const, time, keys: changed }
      bus.publishServer({ ...event, ...(fault && { fault: fault.message }) }, null)
    }),
  ]
}
