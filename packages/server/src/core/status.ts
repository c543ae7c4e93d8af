/** How the server is, for people: what answers as the model, whether agents are sandboxed, what needs attention. */
import { type Banner, type ModelStatus, type Saying, type Status, say } from '@dorkos/shared'
import { inMessage, inWords } from './notice.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { StatusService } from './services.ts'

export interface StatusParts {
  version: string
  clock: Clock
  startedAt: number
  address(): { host: string; port: number }
  cli(): { path: string | undefined; version: string | undefined; fault: string | undefined }
  model(): ModelStatus
  sandbox(): { enabled: boolean; reason: Saying | undefined }
  /** The server has all rights on this machine. */
  root: boolean
  containers(): { available: boolean; reason: Saying | undefined }
  sessions(): { live: number; max_live: number; working: number }
  index(): { transcripts: number; indexed: number }
  pendingApprovals(principal: string): Promise<number>
  configFault(): Saying | undefined
  storageFault(): Saying | undefined
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
        sandbox: { enabled, ...(reason && inWords(reason)) },
        containers: {
          available: containers.available,
          ...(containers.reason && inWords(containers.reason)),
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
  const add = (code: Banner['code'], level: Banner['level'], saying: Saying) =>
    list.push({ code, level, ...inMessage(saying) })
  const storage = parts.storageFault()
  if (storage) add('storage_full', 'danger', say('banner_storage', { why: storage }))
  const sandbox = parts.sandbox()
  if (!sandbox.enabled) add('no_sandbox', 'danger', say('banner_no_sandbox', { why: sandbox.reason }))
  if (parts.exposed()?.insecure) add('insecure_lan', 'danger', say('banner_insecure'))
  const cli = parts.cli()
  if (cli.fault) add('cli_version', 'danger', say('cli_words', { text: cli.fault }))
  if (parts.root)
    add('runs_as_root', 'warning', sandbox.enabled ? say('banner_root_sandboxed') : say('banner_root'))
  const config = parts.configFault()
  if (config) add('config_fault', 'warning', say('banner_configuration', { why: config }))
  if (parts.model().mode === 'demo') add('demo_model', 'info', say('banner_demo'))
  return list
}
