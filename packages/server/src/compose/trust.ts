/** Puts together what trust in workspaces needs, and what its changes do to sessions. */

import { homedir } from 'node:os'
import type { ServerEvent, Workspace } from '@dorkos/shared'
import { createTrustFiles } from '../adapters/trust-files/trust-files.ts'
import { loadTrustKey } from '../adapters/trust-files/trust-key.ts'
import type { Audit } from '../core/permissions/audit.ts'
import type { ClosedPaths } from '../core/ports/agent.ts'
import { isoTime } from '../core/ports/clock.ts'
import { isInside } from '../core/real-path.ts'
import type { SessionRunner } from '../core/sessions/session-runner.ts'
import { trustNotice } from '../core/trust/trust-notice.ts'
import { TrustKeeper, type TrustTransition } from '../core/trust/workspace-trust.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import { moduleGraph } from '../tool-host/module-graph.ts'
import type { ComposeInput } from './compose-input.ts'

export async function openTrust(
  input: ComposeInput,
  parts: { audit: Audit; publish(event: ServerEvent): void; runners(): SessionRunner[] },
): Promise<TrustKeeper> {
  const { store, home, env, clock, logger } = input
  const files = createTrustFiles({
    key: await loadTrustKey(home),
    ownerHome: env.HOME ?? homedir(),
    stateFolder: home,
    claudeConfigDir: claudeFolder(env),
    moduleGraph,
  })
  return new TrustKeeper({
    files,
    store: store.records.trust,
    workspaces: store.records.workspaces,
    audit: parts.audit,
    clock,
    logger,
    onChange(change) {
      const { id } = change.workspace
      parts.publish({ type: 'workspace_changed', time: isoTime(clock.now()), workspace_id: id })
      for (const runner of parts.runners()) if (runner.record.workspaceId === id) notifyRunner(runner, change)
    },
  })
}

/** A process that runs has loaded what counted then, and loads what changes by itself: an idle one is ended at once. */
function notifyRunner(runner: SessionRunner, { how }: TrustTransition): void {
  if (!runner.live && !runner.starting) return
  const notice = trustNotice(how)
  runner.events.emit(notice)
  runner.restartWhenIdle(notice.message)
  const isLess = how === 'lost' || how === 'taken'
  if (isLess && runner.live && !runner.busy)
    void runner.stop(notice.message).catch((error: unknown) => runner.events.fault(error))
}

/** What agents in this directory must not write, because a trusted workspace around or below it would run it. */
export async function closedPaths(
  workspaces: Workspaces,
  cwd: string,
  all: readonly Workspace[],
): Promise<ClosedPaths> {
  const near = all.filter(({ path, trusted }) => trusted && (isInside(path, cwd) || isInside(cwd, path)))
  const checked = await Promise.all(near.map(({ id }) => workspaces.checked(id)))
  const covers = checked.flatMap((one) => one?.covers ?? [])
  return {
    files: covers.flatMap(({ closedFiles }) => closedFiles),
    folders: covers.flatMap(({ closedFolders }) => closedFolders),
  }
}
