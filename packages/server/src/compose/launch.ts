/** What CLI processes are started with, from the configuration, the workspace and the model's source. */

import { homedir, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { say } from '@dorkos/shared'
import { agentSettings } from '../adapters/claude/agent-settings.ts'
import type { createTranscriptFolders } from '../adapters/claude/transcript-folders.ts'
import { containerVariables } from '../adapters/container/container-command.ts'
import type { Containers } from '../adapters/container/containers.ts'
import { isRoot } from '../adapters/system/agent-user.ts'
import { createNpmRoot } from '../adapters/system/npm-root.ts'
import { createRootSandbox } from '../adapters/system/root-sandbox.ts'
import { findUser } from '../adapters/system/run-as.ts'
import { isLoopback } from '../config/check-exposure.ts'
import { AppError } from '../core/app-error.ts'
import type { HookGround } from '../core/hooks/hook-keeper.ts'
import type { Agent } from '../core/ports/agent.ts'
import type { SessionRecord } from '../core/ports/records.ts'
import { isInside } from '../core/real-path.ts'
import type { AgentSpecParts } from '../core/sessions/agent-spec.ts'
import { branchOf } from '../core/sessions/resend.ts'
import { dorkosSystemPrompt } from '../core/tools/system-prompt.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { agentEnvironment, hookEnvironment } from '../credentials/agent-environment.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import { modelSecrets } from '../credentials/model-secrets.ts'
import type { ModelGateway } from '../model-gateway/model-gateway.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import { containerSpec } from './containers.ts'
import { closedPaths } from './trust.ts'

export function specParts(
  input: ComposeInput,
  parts: {
    workspaces: Workspaces
    gateway: ModelGateway | undefined
    agent: Agent
    containers: Containers
    configDirOf: ReturnType<typeof createTranscriptFolders>
  },
): AgentSpecParts {
  const { home, env, modelSource, sandbox } = input
  const { workspaces, gateway, agent, containers } = parts
  const configDir = cliConfigDir(input)
  const isRootOnLinux = process.platform === 'linux' && isRoot()
  const npmRoot = sandbox.enabled ? createNpmRoot(home, env.PATH) : undefined
  const rootSandbox = sandbox.enabled && isRootOnLinux ? createRootSandbox(home, env) : undefined
  const follow = (dir: string) => input.transcripts.follow(dir)
  const userOf = async (directory: string) => (await findUser(directory, env)).user
  return {
    hasTranscript: (id) => agent.hasTranscript(id),
    isTaken: (id) => agent.isTaken(id),
    branchOf: (record) => branchOf(record, { turns: input.store.coordination.turns, agent }),
    async workspaceOf(record) {
      const { cwd } = record
      const { workspace, settingSources } = await workspaceAndSources(workspaces, record)
      const all = await workspaces.list()
      const closed = await closedPaths(workspaces, cwd, all)
      const nested = all
        .map(({ path }) => path)
        .filter(
          (path) => path !== cwd && (isInside(cwd, path) || (workspace && isInside(workspace.path, path))),
        )
      const container = await containerSpec(
        { containers, gateway, follow, userOf, closed, workspaces: all },
        record,
        workspace,
      )
      if (container) await refuseHeldOutside(record, parts)
      const runAs = container ? undefined : await userOf(workspace?.path ?? cwd)
      return {
        path: workspace?.path,
        settingSources,
        nested,
        closed,
        container,
        runAs,
      }
    },
    async checkDirectory(cwd) {
      const real = await workspaces.resolveCwd(undefined, cwd)
      if (real.cwd !== cwd)
        throw new AppError('conflict', say('session_directory_moved', { path: cwd, target: real.cwd }))
    },
    async environment({ id, principal, demo, folderConfirmed }, { container, runAs }) {
      if (!container) await Promise.all([npmRoot?.prepare(), rootSandbox?.prepare(runAs)])
      return agentEnvironment({
        base: {
          ...env,
          ...(npmRoot && !container && { PATH: npmRoot.path }),
          // Another user may be kept out of root's: then the CLI takes that of all.
          ...(runAs && { TMPDIR: undefined }),
        },
        config: input.config.current(),
        modelSource,
        // By its own socket the session is known without one.
        sessionCredential: container ? 'none' : gateway?.issue({ sessionId: id, principal, demo }),
        gatewayUrl: gateway?.url,
        demoConfigDir: demoConfigDir(home),
        sandbox: sandbox.enabled || container !== undefined,
        folderConfirmed,
        container: container && {
          ...containerVariables(),
          CLAUDE_CONFIG_DIR: container.configDir,
        },
      })
    },
    settings: ({ container, runAs, ...rest }) =>
      agentSettings({
        stateFolders: closedFolders(input),
        ownerHome: env.HOME ?? homedir(),
        claudeConfigDir: container?.configDir ?? configDir,
        claudeConfigFile: container
          ? join(container.configDir, '.claude.json')
          : env.CLAUDE_CONFIG_DIR
            ? join(env.CLAUDE_CONFIG_DIR, '.claude.json')
            : join(env.HOME ?? homedir(), '.claude.json'),
        // A container is the boundary itself, and bubblewrap does not work in it again.
        sandbox: sandbox.enabled && !container,
        sandboxPath: container ? undefined : rootSandbox?.path(runAs),
        allowedDomains: input.config.current().sandboxNetwork,
        ownAddresses: ownAddresses(input.address().host),
        modelSecrets: modelSecrets(modelSource, env),
        pinnedVariables: modelSource.kind === 'cli' ? modelSource.pinned : {},
        ...rest,
      }),
    systemPromptAppend: ({ unattended }) => dorkosSystemPrompt({ unattended }),
    defaults: () => {
      const { model, maxTurns } = input.config.current().sessions
      return { model, maxTurns }
    },
  }
}

async function workspaceAndSources(workspaces: Workspaces, { cwd, workspaceId }: SessionRecord) {
  const workspace = workspaceId === undefined ? undefined : (await workspaces.checked(workspaceId))?.workspace
  // Trust is for the workspace's own directory: what lies below (a vendored package, another clone) is not covered.
  const effective = workspace && workspace.path !== cwd ? { ...workspace, trusted: false } : workspace
  return { workspace, settingSources: workspaces.settingSourcesFor(effective) }
}

/** Where the hooks of a session stand, and what they run with. */
export async function hookGround(
  { env, config }: ComposeInput,
  workspaces: Workspaces,
  record: SessionRecord,
): Promise<HookGround> {
  const { workspace, settingSources } = await workspaceAndSources(workspaces, record)
  const isContained = workspace?.mode === 'container'
  const container = isContained ? containerVariables() : undefined
  return {
    workspace: { path: record.cwd, sources: settingSources, container: isContained },
    env: hookEnvironment({ base: env, config: config.current(), container }),
  }
}

/** A session of a terminal, in a directory that became a container's workspace later: its transcript is not in there. */
async function refuseHeldOutside(
  { cliSessionIds }: SessionRecord,
  { configDirOf, agent }: Pick<Parameters<typeof specParts>[1], 'configDirOf' | 'agent'>,
): Promise<void> {
  for (const id of cliSessionIds)
    if (!(await configDirOf(id)).isOurs && (await agent.isTaken(id)))
      throw new AppError('conflict', say('session_was_outside_container'))
}

/** Where the CLI keeps its own: the owner's folder, or one apart for the demo model. */
export function cliConfigDir({
  modelSource,
  home,
  env,
}: Pick<ComposeInput, 'modelSource' | 'home' | 'env'>): string {
  return modelSource.kind === 'demo' ? demoConfigDir(home) : claudeFolder(env)
}

/** Beside the state folder and not in it: agents must be able to read what the CLI puts aside for them there. */
function demoConfigDir(home: string): string {
  return `${home}-demo`
}

/** A server that listens beyond loopback is reached under every address of the machine. */
function ownAddresses(host: string): string[] {
  if (isLoopback(host)) return []
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
}
