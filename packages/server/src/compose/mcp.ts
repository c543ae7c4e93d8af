/** Puts together what runs MCP servers: their files, the supervisor, and what is remembered of them. */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createSupervisor, type Supervisor } from '@dorkos/mcp-gateway'
import type { ServerEvent } from '@dorkos/shared'
import { readClientFiles } from '../adapters/mcp-files/read-client-files.ts'
import { readMcpSources } from '../adapters/mcp-files/read-sources.ts'
import { openToolFolders } from '../adapters/mcp-files/tool-folders.ts'
import { Mcp } from '../core/mcp/mcp.ts'
import { createMcpService } from '../core/mcp/mcp-service.ts'
import { SignIns } from '../core/mcp/sign-ins.ts'
import type { Audit } from '../core/permissions/audit.ts'
import { isoTime } from '../core/ports/clock.ts'
import type { McpSources } from '../core/ports/mcp-sources.ts'
import type { ToolFolders } from '../core/ports/tool-folders.ts'
import type { McpService } from '../core/services.ts'
import type { SessionDirectory } from '../core/sessions/session-directory.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import { ownHosts, ownOrigins } from '../http/own-names.ts'
import { watchFiles } from '../watching/watch-files.ts'
import type { ComposeInput } from './compose-input.ts'
import type { HookParts } from './hooks.ts'

export interface OpenMcp {
  mcp: Mcp
  supervisor: Supervisor
  toolFolders: ToolFolders
  signIns: SignIns
  /** Trust, mode or the like of a workspace changed, or it was removed. */
  workspaceChanged(id: string): void
}

export async function openMcp(
  input: ComposeInput,
  parts: {
    workspaces: Workspaces
    hooks: Pick<HookParts, 'withPlugins'>
    publish(event: ServerEvent): void
  },
): Promise<OpenMcp> {
  const { env, clock, logger, store } = input
  const { mcp: settings } = input.config.current()
  const signIns = await SignIns.open({
    store: store.records.mcp,
    shortLived: store.coordination.shortLived,
    clock,
    logger,
    onChange: () => parts.publish({ type: 'mcp_changed', time: isoTime(clock.now()), stored: true }),
  })
  const supervisor = createSupervisor({
    // One server has this state folder at a time: what bears its mark and has no living owner was left behind.
    mark: `dorkos-${createHash('sha256').update(input.home).digest('hex').slice(0, 16)}`,
    clock,
    logger,
    connectTimeoutMs: settings.connectTimeoutSeconds * 1000,
    idleMs: settings.idleMinutes * 60_000,
    ownIdleMs: settings.sessionIdleMinutes * 60_000,
    mostOwn: settings.maxSessionProcesses,
    knownToAsk: await store.records.mcp.asking(),
    credentialsOf: (entry) => signIns.credentialsOf(entry),
  })
  const toolFolders = openToolFolders({
    home: input.home,
    own: join(input.settingsFolder, 'tools'),
    isShared: input.settingsFolder !== input.home,
    env,
    allowedEnv: () => input.config.current().mcp.env,
  })
  const checked = async (id: string) => parts.hooks.withPlugins(await parts.workspaces.checked(id))
  const mcp = await Mcp.open({
    supervisor,
    toolFolders,
    sources: mcpSources(input),
    store: store.records.mcp,
    config: () => input.config.current(),
    // Their files may have changed a moment ago: what is trusted is checked again.
    workspaceOf: checked,
    async allWorkspaces() {
      const all = await parts.workspaces.list()
      return (await Promise.all(all.map(({ id }) => checked(id)))).flatMap((one) => one ?? [])
    },
    async mainWorkspace() {
      const main = (await parts.workspaces.list()).find((workspace) => workspace.main)
      return main && (await checked(main.id))
    },
    env,
    ownerHome: env.HOME ?? homedir(),
    publish: parts.publish,
    clock,
    logger,
  })
  const forgetGone = async (id: string) => {
    if ((await parts.workspaces.list()).every((one) => one.id !== id)) await signIns.forgetWorkspace(id)
  }
  const workspaceChanged = (id: string) => {
    mcp.workspaceChanged()
    forgetGone(id).catch((error: unknown) => logger.error({ err: error }, 'sign-ins could not be ended'))
  }
  return { mcp, supervisor, toolFolders, signIns, workspaceChanged }
}

export function mcpService(
  input: ComposeInput,
  { mcp, supervisor, toolFolders, signIns }: OpenMcp,
  parts: { directory: SessionDirectory; audit: Audit },
): McpService {
  const { env, clock, config } = input
  return createMcpService({
    mcp,
    supervisor,
    toolFolders,
    signIns,
    clock,
    ownOrigins: () => pageOrigins(input),
    async session(actor, id) {
      const { workspace_id, cwd } = await parts.directory.get(actor, id)
      const record = await input.store.records.sessions.get(id)
      return { id, workspaceId: workspace_id, cwd, profile: record?.profile }
    },
    configured: () => config.current().mcpServers,
    writeEntries: (actor, entries) => config.writeMcpServers(actor, entries),
    clientFiles: (folder) =>
      readClientFiles({
        platform: process.platform,
        home: env.HOME ?? homedir(),
        env,
        ...(folder !== undefined && { folder }),
      }),
    audit: (actor, action, detail) => parts.audit.record(actor, action, detail),
    appendAudit: (entries) => parts.audit.append(entries),
  })
}

function pageOrigins({ config, address }: ComposeInput): string[] {
  const { tls, publicOrigins } = config.current()
  const isTls = tls !== undefined
  return ownOrigins(ownHosts({ ...address(), tls: isTls, publicOrigins }), isTls, publicOrigins)
}

function mcpSources({ config, settingsFolder, env }: ComposeInput): McpSources {
  const claudeConfigFile = env.CLAUDE_CONFIG_DIR
    ? join(env.CLAUDE_CONFIG_DIR, '.claude.json')
    : join(env.HOME ?? homedir(), '.claude.json')
  return {
    read: (workspacePath) =>
      readMcpSources({
        configServers: config.current().mcpServers,
        configFile: join(settingsFolder, 'config.jsonc'),
        claudeConfigDir: claudeFolder(env),
        claudeConfigFile,
        workspacePath,
        plugins: true,
      }),
    watch(reading, readSince, onChange) {
      const watch = watchFiles(reading.files, onChange, { readSince })
      return () => watch.close()
    },
  }
}
