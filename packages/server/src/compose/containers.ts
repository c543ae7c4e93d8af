/** What a session in a container workspace gets, and why it may get nothing: then it does not start. */
import { homedir } from 'node:os'
import { type Saying, say, type Workspace } from '@dorkos/shared'
import { type Containers, createContainers } from '../adapters/container/containers.ts'
import { AppError } from '../core/app-error.ts'
import type { ClosedPaths, ContainerSpec, SystemUser } from '../core/ports/agent.ts'
import type { SessionRecord } from '../core/ports/records.ts'
import { isInside } from '../core/real-path.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import type { ModelGateway } from '../model-gateway/model-gateway.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'

export interface ContainerSpecParts {
  containers: Containers
  gateway: Pick<ModelGateway, 'port' | 'listenFor'> | undefined
  /** All of them. */
  workspaces: readonly Workspace[]
  /** What trust in the workspace covers. */
  closed: ClosedPaths
  /** The CLI's folder of a workspace is there: its transcripts are to be read. */
  follow(configDir: string): void
  /** Whom the agents of this directory are to be. */
  userOf(directory: string): Promise<SystemUser | undefined>
}

/** What decides whether there are containers at all. */
export type ContainerSources = Pick<ContainerSpecParts, 'containers' | 'gateway'>

export function openContainers(input: ComposeInput): Containers {
  const { home, env, modelSource, containerTools } = input
  return createContainers({
    home,
    demo: modelSource.kind === 'demo',
    found: containerTools,
    closedFolders: [...closedFolders(input), env.HOME ?? homedir(), claudeFolder(env)],
  })
}

export function containersStatus({ containers, gateway }: ContainerSources): {
  available: boolean
  reason: Saying | undefined
} {
  const reason = containers.fault ?? (gateway ? undefined : say('containers_without_gateway'))
  return { available: reason === undefined, reason }
}

/** Why this workspace cannot run, in a sentence; undefined for one that can. Never checks a workspace of mode `host`. */
function containerFault(
  workspace: Workspace | undefined,
  { containers, gateway }: Pick<ContainerSpecParts, 'containers' | 'gateway'>,
): Saying | undefined {
  if (workspace?.mode !== 'container') return undefined
  const { name } = workspace
  if (containers.fault !== undefined)
    return say('container_of_workspace_impossible', { name, why: containers.fault })
  return gateway ? undefined : say('container_without_gateway', { name })
}

/** For a session that is made in this workspace: from now on it is known to belong into a container, whatever becomes of the workspace. */
export async function claimContainer(
  workspace: Workspace | undefined,
  parts: ContainerSources,
): Promise<void> {
  const fault = containerFault(workspace, parts)
  if (fault !== undefined) throw new AppError('unavailable', fault)
  if (workspace?.mode === 'container') await parts.containers.prepare(workspace.id)
}

/** Undefined for a session on the host. Throws where the session belongs into a container and cannot be put into one. */
export async function containerSpec(
  parts: ContainerSpecParts,
  record: SessionRecord,
  workspace: Workspace | undefined,
): Promise<ContainerSpec | undefined> {
  const { containers, gateway, follow } = parts
  if (!workspace && containers.configDirOf(record.workspaceId) !== undefined)
    throw new AppError('conflict', say('session_was_in_container'))
  const fault = containerFault(workspace, parts)
  if (fault !== undefined) throw new AppError('unavailable', fault)
  if (workspace?.mode !== 'container' || !gateway) return undefined
  await containers.check(workspace.path)
  const other = parts.workspaces.find(({ id, path }) => id !== workspace.id && isInside(workspace.path, path))
  if (other) throw holdsAnother(workspace.name, other)
  const configDir = await containers.prepare(workspace.id)
  follow(configDir)
  const socket = await containers.freeSocket(record.id)
  await gateway.listenFor({ sessionId: record.id, principal: record.principal, demo: record.demo }, socket)
  const closed = [...parts.closed.files, ...parts.closed.folders]
  return {
    workspacePath: workspace.path,
    closed,
    configDir,
    outputs: await containers.freeOutputs(workspace.id, record.id),
    gateway: { socket, port: gateway.port },
    runAs: await parts.userOf(workspace.path),
  }
}

function holdsAnother(name: string, other: Workspace): AppError {
  return new AppError(
    'conflict',
    say('container_holds_workspace', { name, other: other.name, path: other.path }),
  )
}
