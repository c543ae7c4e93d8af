/** What the server reports about itself. */
import type { Saying } from '@dorkos/shared'
import { isRoot } from '../adapters/system/agent-user.ts'
import { isLoopback } from '../config/check-exposure.ts'
import type { AgentManager } from '../core/sessions/agent-manager.ts'
import type { StatusParts } from '../core/status.ts'
import { dorkosToolInfo } from '../core/tools/tool-definitions.ts'
import { modelStatus } from '../credentials/find-model-source.ts'
import type { ComposeInput } from './compose-input.ts'
import { type ContainerSources, containersStatus } from './containers.ts'

export interface StatusSources extends ContainerSources {
  manager: AgentManager
  /** Why the disk does not take events. */
  faults: { storage: Saying | undefined }
}

export function createStatusParts(input: ComposeInput, parts: StatusSources): StatusParts {
  const { config, cli, sandbox, modelSource, transcripts } = input
  const { manager, faults } = parts
  return {
    version: input.version,
    clock: input.clock,
    startedAt: input.clock.now(),
    address: input.address,
    cli: () => ({ path: cli.path, version: cli.version, fault: undefined }),
    model: () => modelStatus(modelSource),
    sandbox: () => sandbox,
    root: isRoot(),
    containers: () => containersStatus(parts),
    sessions: () => ({
      live: manager.liveCount,
      max_live: config.current().sessions.maxLive,
      working: manager.runners().filter(({ state }) => state === 'working').length,
    }),
    index: () => transcripts.progress(),
    async pendingApprovals(principal) {
      const counts = await input.store.coordination.approvals.countPending(principal)
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    configFault: () => config.fault(),
    storageFault: () => faults.storage,
    exposed: () =>
      isLoopback(input.address().host) ? undefined : { insecure: config.current().tls === undefined },
    tools: () => dorkosToolInfo(),
  }
}
