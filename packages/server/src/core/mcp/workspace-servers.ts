/** The MCP servers of a workspace as a session sees it: what was found for it, who of it is used, and how each is started. */
import type { ServerEntry } from '@dorkos/mcp-gateway'
import { foldServerName, type Profile, type Saying, say } from '@dorkos/shared'
import type { ToolFolder } from '../ports/tool-folders.ts'
import type { FoundServer, McpEntry, SourceFault, SourceReading } from './found-server.ts'
import { expandServer, type LaunchParts, type LaunchPlan, planLaunch } from './launch-server.ts'
import { type OverriddenServer, resolveServers } from './resolve-servers.ts'
import type { SessionWorkspace } from './session-workspace.ts'

interface ActiveServer {
  server: FoundServer
  plan: Exclude<LaunchPlan, { kind: 'unusable' }>
  /** Tools that the owner writes: they change all the time, and nobody else can change them. */
  isOwn?: true
}

export interface WorkspaceServers {
  active: ActiveServer[]
  overridden: OverriddenServer[]
  /** `reason` is a word for programs. */
  filtered: { server: FoundServer; reason: string; sentence: Saying }[]
  faults: SourceFault[]
}

export interface WorkspaceServersInput {
  reading: SourceReading
  workspace: SessionWorkspace
  /** Names of servers that a person switched off here. */
  switchedOff: ReadonlySet<string>
  launch: LaunchParts
  /** The owner's own tools. */
  toolFolders: readonly ToolFolder[]
}

export function workspaceServers(input: WorkspaceServersInput): WorkspaceServers {
  const { reading, workspace, switchedOff, launch } = input
  const { active, overridden, filtered } = resolveServers({
    found: reading.servers,
    policy: reading.policy,
    workspace,
    switchedOff: { servers: switchedOff },
    expanded: (server) => expandServer(server, launch).entry,
  })
  const result: WorkspaceServers = { active: [], overridden, filtered: [...filtered], faults: reading.faults }
  for (const server of active) {
    const plan = planLaunch(server, launch)
    if (plan.kind === 'unusable')
      result.filtered.push({
        server,
        reason: 'variables',
        sentence: say('unused_unusable', { why: plan.sentence }),
      })
    else result.active.push({ server, plan })
  }
  for (const folder of input.toolFolders) addToolFolder(result, folder, switchedOff)
  return result
}

/** What a session has of them whose profile names its servers. */
export function onlyNamed(
  servers: WorkspaceServers,
  profile: { name: string; profile: Pick<Profile, 'mcp_servers'> } | undefined,
): WorkspaceServers {
  const named = profile?.profile.mcp_servers
  if (!profile || named === undefined) return servers
  const [active, left] = [true, false].map((is) =>
    servers.active.filter(({ server }) => named.includes(server.name) === is),
  ) as [ActiveServer[], ActiveServer[]]
  const sentence = say('unused_by_profile', { profile: profile.name })
  return {
    ...servers,
    active,
    filtered: [...servers.filtered, ...left.map(({ server }) => ({ server, reason: 'profile', sentence }))],
  }
}

/** Every server that is run by us, if it is used at all. */
export function foundEntries({
  reading,
  launch,
}: Pick<WorkspaceServersInput, 'reading' | 'launch'>): ServerEntry[] {
  return reading.servers.flatMap((server) => {
    const plan = planLaunch(server, launch)
    return plan.kind === 'bridged' ? [plan.entry] : []
  })
}

/** Only the owner's own configuration may take the name of the owner's own tools: other sources are refused it. */
function addToolFolder(result: WorkspaceServers, folder: ToolFolder, switchedOff: ReadonlySet<string>): void {
  const { entry } = folder
  const server = toolFolderServer(folder)
  const holder = result.active.find((one) => foldServerName(one.server.name) === entry.name)
  if (holder) {
    result.overridden.push({ server, by: holder.server })
    return
  }
  if ([...switchedOff].some((name) => foldServerName(name) === entry.name))
    result.filtered.push({ server, reason: 'switched_off', sentence: say('unused_switched_off') })
  else result.active.push({ server, plan: { kind: 'bridged', entry }, isOwn: true })
}

function toolFolderServer({ folder, entry, workspaceId }: ToolFolder): FoundServer {
  const { launch } = entry
  const scope = workspaceId === undefined ? 'dorkos' : 'project'
  const shown: McpEntry =
    launch.type === 'stdio'
      ? { type: 'stdio', command: launch.command, args: launch.args, env: {} }
      : { type: launch.type, url: launch.url, headers: {} }
  return { name: entry.name, scope, file: folder, line: 1, entry: shown, modules: true }
}
