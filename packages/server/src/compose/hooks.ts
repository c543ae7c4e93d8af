/** Hooks: which files say them, who runs them, and what a changed consent does. */
import { homedir } from 'node:os'
import { say, type Workspace } from '@dorkos/shared'
import { hookEvents } from 'claude-code-agent'
import type { Containers } from '../adapters/container/containers.ts'
import { createHookFiles } from '../adapters/hook-files/hook-files.ts'
import { createHookRunner } from '../adapters/hook-runner/hook-runner.ts'
import { createSeal, loadTrustKey } from '../adapters/trust-files/trust-key.ts'
import { HookKeeper } from '../core/hooks/hook-keeper.ts'
import { createHookService } from '../core/hooks/hook-service.ts'
import type { SessionHooks } from '../core/hooks/session-hooks.ts'
import type { Audit } from '../core/permissions/audit.ts'
import { isoTime } from '../core/ports/clock.ts'
import type { HookFiles, HookWorkspace } from '../core/ports/hook-files.ts'
import type { SessionRecord } from '../core/ports/records.ts'
import type { HookService } from '../core/services.ts'
import type { SessionRunner } from '../core/sessions/session-runner.ts'
import type { CheckedWorkspace } from '../core/trust/workspace-trust.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import { cliConfigDir, hookGround } from './launch.ts'

export interface HookParts {
  files: HookFiles
  /** For a process that is about to start. */
  open(record: SessionRecord): Promise<SessionHooks>
  loadedPlugins(workspace: Workspace): Promise<{ id: string; root: string }[]>
  /** The workspace with the plugins that are loaded in it. */
  withPlugins(checked: CheckedWorkspace | undefined): Promise<CheckedWorkspace | undefined>
  /** Settings files that open the sandbox of a workspace's agents. */
  opensSandbox(workspace: Workspace): Promise<readonly string[]>
  /** Whether the process of a session still has what counts. */
  checkOutdated(runner: SessionRunner): Promise<void>
}

export async function openHooks(
  input: ComposeInput,
  containers: Containers,
  workspaces: Workspaces,
): Promise<HookParts> {
  const files = createHookFiles({
    claudeConfigDir: cliConfigDir(input),
    ownerHome: input.env.HOME ?? homedir(),
    closedFolders: closedFolders(input),
    events: new Set<string>(hookEvents),
    seal: createSeal(await loadTrustKey(input.settingsFolder)),
  })
  const keeper = new HookKeeper({
    files,
    consents: input.store.records.hookConsents,
    runner: createHookRunner((spec) => containers.wrap(spec)),
  })
  const groundOf = (record: SessionRecord) => hookGround(input, workspaces, record)
  const hookWorkspaceOf = (workspace: Workspace): HookWorkspace => ({
    path: workspace.path,
    sources: workspaces.settingSourcesFor(workspace),
    container: workspace.mode === 'container',
  })
  const loadedPlugins = (workspace: Workspace) => keeper.loadedPlugins(hookWorkspaceOf(workspace))
  return {
    files,
    open: async (record) => keeper.open(await groundOf(record)),
    loadedPlugins,
    // The container is the boundary there, whatever settings say of the CLI's own sandbox.
    opensSandbox: async (workspace) =>
      workspace.mode === 'container' ? [] : (await files.read(hookWorkspaceOf(workspace))).loosening,
    async withPlugins(checked) {
      if (!checked) return undefined
      return { ...checked, plugins: (await loadedPlugins(checked.workspace)).map(({ root }) => root) }
    },
    async checkOutdated(runner) {
      if (!runner.hooks || runner.isOutdated) return
      const { workspace } = await groundOf(runner.record)
      if (await keeper.isOutdated(workspace, runner.hooks)) runner.restartWhenIdle(say('hooks_changed'))
    },
  }
}

export function hookService(
  { store, clock }: ComposeInput,
  { files }: HookParts,
  parts: { workspaces: Workspaces; audit: Audit },
): HookService {
  return createHookService({
    ...parts,
    files,
    consents: store.records.hookConsents,
    clock,
    events: hookEvents,
    changed: (id) =>
      store.bus.publishServer(
        { type: 'workspace_changed', time: isoTime(clock.now()), workspace_id: id },
        null,
      ),
  })
}
