/** What sessions change in their directories: where snapshots are kept, and who may be asked for them. */
import { join } from 'node:path'
import type { Containers } from '../adapters/container/containers.ts'
import { createFileSnapshots } from '../adapters/file-snapshots/file-snapshots.ts'
import { createRepositories } from '../adapters/repositories/repositories.ts'
import { ChangeKeeper } from '../core/changes/change-keeper.ts'
import { SessionChangeService } from '../core/changes/change-service.ts'
import { CommitDesk } from '../core/changes/commit-desk.ts'
import type { Audit } from '../core/permissions/audit.ts'
import type { FileSnapshots } from '../core/ports/file-snapshots.ts'
import type { WorkspaceFiles } from '../core/ports/workspace-files.ts'
import type { ChangeService } from '../core/services.ts'
import type { AgentManager } from '../core/sessions/agent-manager.ts'
import type { SessionDirectory } from '../core/sessions/session-directory.ts'
import type { SessionRunner } from '../core/sessions/session-runner.ts'
import type { Workspaces } from '../core/workspaces.ts'
import type { ComposeInput } from './compose-input.ts'
import { openWorkspaceFiles } from './files.ts'

export interface ChangeParts {
  files: WorkspaceFiles
  snapshots: FileSnapshots
  keeper: ChangeKeeper
}

export function openChanges(input: ComposeInput, containers: Containers): ChangeParts {
  const { clock, logger, home } = input
  const files = openWorkspaceFiles(input, containers)
  const snapshots = createFileSnapshots({ folder: join(home, 'snapshots'), files })
  const trees = input.store.records.turnTrees
  return { files, snapshots, keeper: new ChangeKeeper({ snapshots, trees, clock, logger }) }
}

/** For one process of a session. */
export function processChanges(keeper: ChangeKeeper, runner: SessionRunner) {
  return keeper.open({
    sessionId: runner.id,
    directory: runner.record.cwd,
    updated: () => runner.publish({ type: 'changes_updated' }),
  })
}

export interface ChangeSources {
  changes: ChangeParts
  directory: SessionDirectory
  workspaces: Workspaces
  manager: AgentManager
  audit: Audit
}

export function changeService(input: ComposeInput, parts: ChangeSources): ChangeService {
  const { directory, workspaces, manager, audit } = parts
  const { snapshots, keeper } = parts.changes
  const { coordination, records } = input.store
  const setProposed = createProposals(input, manager)
  return new SessionChangeService({
    snapshots,
    trees: records.turnTrees,
    clock: input.clock,
    commits: new CommitDesk({
      repositories: createRepositories(input.env),
      snapshots,
      proposed: async (id) => (await records.sessions.get(id))?.proposedCommit,
      forgetProposed: (id) => setProposed(id, undefined),
    }),
    directoryOf: async (actor, id) =>
      (await workspaces.resolveCwd(undefined, (await directory.get(actor, id)).cwd)).cwd,
    running: (id) => keeper.running(id),
    turn: (id, turnId) => coordination.turns.get(id, turnId),
    audit: (actor, action, sessionId, detail) => audit.record(actor, action, detail, sessionId),
    updated: (id) => manager.peek(id)?.publish({ type: 'changes_updated' }),
  })
}

/** Keeps what an agent proposes for the next commit of its session. */
export function createProposals({ store }: ComposeInput, manager: AgentManager) {
  return async (sessionId: string, message: string | undefined): Promise<void> => {
    const runner = manager.peek(sessionId)
    if (runner) await runner.status.change({ proposedCommit: message })
    else await store.records.sessions.change(sessionId, { proposedCommit: message })
    runner?.publish({ type: 'changes_updated' })
  }
}
