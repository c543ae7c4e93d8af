/** Workspaces: where they may lie, and what people are shown of them. */
import { homedir } from 'node:os'
import type { ServerEvent } from '@dorkos/shared'
import type { Containers } from '../adapters/container/containers.ts'
import { findUser } from '../adapters/system/run-as.ts'
import { auditedWorkspaces } from '../core/audited-services.ts'
import type { Audit } from '../core/permissions/audit.ts'
import { isoTime } from '../core/ports/clock.ts'
import type { WorkspaceService } from '../core/services.ts'
import type { TrustKeeper } from '../core/trust/workspace-trust.ts'
import { createWorkspaces, type Workspaces } from '../core/workspaces.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import { cliConfigDir } from './launch.ts'

export async function openWorkspaces(
  input: ComposeInput,
  publish: (event: ServerEvent) => void,
  containers: Containers,
  trust: TrustKeeper,
): Promise<Workspaces> {
  const { store, config, clock, logger, env } = input
  const workspaces = createWorkspaces({
    store: store.records.workspaces,
    trust,
    config: () => config.current(),
    stateFolders: closedFolders(input),
    clock,
    logger,
    onChange: (id) => publish({ type: 'workspace_changed', time: isoTime(clock.now()), workspace_id: id }),
    ownerHome: env.HOME ?? homedir(),
    closedFolders: [cliConfigDir(input), claudeFolder(env), containers.folder],
    checkContainer: (path) => containers.check(path),
  })
  await workspaces.ensureMain(input.defaultCwd)
  return workspaces
}

export function workspaceService(
  { env }: Pick<ComposeInput, 'env'>,
  workspaces: Workspaces,
  audit: Audit,
): WorkspaceService {
  return auditedWorkspaces(workspaces, audit, async ({ path }) => (await findUser(path, env)).fault)
}
