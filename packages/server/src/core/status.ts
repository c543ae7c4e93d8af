/** How the server is, for people: what answers as the model, whether agents are sandboxed, what needs attention. */
import type { Banner, ModelStatus, Status } from '@dorkos/shared'
import { type Clock, isoTime } from './ports/clock.ts'
import type { StatusService } from './services.ts'

export interface StatusParts {
  version: string
  clock: Clock
  startedAt: number
  address(): { host: string; port: number }
  cli(): { path: string | undefined; version: string | undefined; fault: string | undefined }
  model(): ModelStatus
  sandbox(): { enabled: boolean; reason: string | undefined }
  /** The server has all rights on this machine. */
  root: boolean
  containers(): { available: boolean; reason: string | undefined }
  sessions(): { live: number; max_live: number; working: number }
  index(): { transcripts: number; indexed: number }
  pendingApprovals(principal: string): Promise<number>
  configFault(): string | undefined
  storageFault(): string | undefined
  exposed(): { insecure: boolean } | undefined
  tools(): ReturnType<StatusService['tools']>
}

export function createStatus(parts: StatusParts): StatusService {
  return {
    health() {
      const degraded = parts.storageFault() !== undefined || parts.cli().fault !== undefined
      const demo = parts.model().mode === 'demo'
      return { status: degraded ? 'degraded' : 'ok', product: 'DorkOS', version: parts.version, demo }
    },
    async status({ principal }): Promise<Status> {
      const { path, version, fault } = parts.cli()
      const { enabled, reason } = parts.sandbox()
      const containers = parts.containers()
      return {
        version: parts.version,
        started_at: isoTime(parts.startedAt),
        uptime_seconds: Math.floor((parts.clock.now() - parts.startedAt) / 1000),
        ...parts.address(),
        cli: { ...(path && { path }), ...(version && { version }), ...(fault && { fault }) },
        model: parts.model(),
        sandbox: { enabled, ...(reason && { reason }) },
        containers: {
          available: containers.available,
          ...(containers.reason && { reason: containers.reason }),
        },
        sessions: parts.sessions(),
        index: parts.index(),
        pending_approvals: await parts.pendingApprovals(principal),
        banners: banners(parts),
      }
    },
    tools: () => parts.tools(),
  }
}

export function banners(
  parts: Pick<StatusParts, 'model' | 'sandbox' | 'root' | 'configFault' | 'storageFault' | 'cli' | 'exposed'>,
): Banner[] {
  const list: Banner[] = []
  const storage = parts.storageFault()
  if (storage)
    list.push({ code: 'storage_full', level: 'danger', message: `The disk does not take writes: ${storage}` })
  const sandbox = parts.sandbox()
  if (!sandbox.enabled)
    list.push({ code: 'no_sandbox', level: 'danger', message: withoutSandbox(sandbox.reason) })
  const exposed = parts.exposed()
  if (exposed?.insecure)
    list.push({
      code: 'insecure_lan',
      level: 'danger',
      message: 'This server is reachable from the network without TLS: tokens cross it in the clear.',
    })
  const cli = parts.cli()
  if (cli.fault) list.push({ code: 'cli_version', level: 'danger', message: cli.fault })
  if (parts.root) list.push({ code: 'runs_as_root', level: 'warning', message: asRoot(sandbox.enabled) })
  const config = parts.configFault()
  if (config)
    list.push({
      code: 'config_fault',
      level: 'warning',
      message: `The configuration file was not taken: ${config}`,
    })
  if (parts.model().mode === 'demo')
    list.push({
      code: 'demo_model',
      level: 'info',
      message:
        'No credentials were found: a small demo model answers, not Claude. Set ANTHROPIC_API_KEY, or log in with the CLI, and restart.',
    })
  return list
}

function withoutSandbox(reason: string | undefined): string {
  return (
    `Agents’ commands run without a sandbox${reason ? ` (${reason})` : ''}. A command that you allow can read every file of your user, ` +
    'DorkOS’s own state included, reach this server, and end it. Read a command before you allow it.'
  )
}

function asRoot(sandbox: boolean): string {
  const commands = sandbox
    ? 'Commands in the sandbox are another user without rights, but can read every file of root’s.'
    : 'A command that you allow can do everything on this machine.'
  return (
    `DorkOS runs as root, and so do its agents’ file tools, their hooks and MCP servers. ${commands} ` +
    'Make a user for DorkOS and run it as that one; docs/operations.md says how.'
  )
}
