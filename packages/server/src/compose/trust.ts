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
import { ProcessTrust } from '../core/trust/process-trust.ts'
import { TrustKeeper } from '../core/trust/workspace-trust.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import { moduleGraph } from '../tool-host/module-graph.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'

export async function openTrust(
  input: ComposeInput,
  parts: { audit: Audit; publish(event: ServerEvent): void; runners(): SessionRunner[] },
): Promise<{ trust: TrustKeeper; processTrust: ProcessTrust }> {
  const { store, env, clock, logger } = input
  const files = createTrustFiles({
    key: await loadTrustKey(input.settingsFolder),
    ownerHome: env.HOME ?? homedir(),
    closedFolders: closedFolders(input),
    claudeConfigDir: claudeFolder(env),
    moduleGraph,
  })
  const processTrust = new ProcessTrust()
  const trust = new TrustKeeper({
    files,
    store: store.records.trust,
    workspaces: store.records.workspaces,
    audit: parts.audit,
    clock,
    logger,
    onChange(change) {
      const { id } = change.workspace
      parts.publish({ type: 'workspace_changed', time: isoTime(clock.now()), workspace_id: id })
      for (const runner of parts.runners())
        if (runner.record.workspaceId === id) processTrust.changed(runner, change)
    },
  })
  return { trust, processTrust }
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
