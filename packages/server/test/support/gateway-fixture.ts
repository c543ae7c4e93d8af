/** A permission gateway on a real store in a folder of its own, with one session open. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Approval,
  type AuditEntry,
  type Config,
  type NewEvent,
  type ServerEvent,
  say,
} from '@dorkos/shared'
import { openSqliteStore, type SqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { ownerPrincipal, serverPrincipal } from '../../src/core/actor.ts'
import { type Audit, createAudit } from '../../src/core/permissions/audit.ts'
import {
  createPermissionGateway,
  type PermissionGateway,
} from '../../src/core/permissions/permission-gateway.ts'
import { createRules, type Rules } from '../../src/core/permissions/rules.ts'
import type { SessionContext, SessionPermissions } from '../../src/core/permissions/session-permissions.ts'
import type { PermissionQuestion } from '../../src/core/ports/agent.ts'
import type { Clock } from '../../src/core/ports/clock.ts'
import type { ApprovalStore } from '../../src/core/ports/coordination.ts'
import type { AuditLog } from '../../src/core/ports/records.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import { noHooks } from './no-hooks.ts'

export const sessionId = '11111111-1111-4111-8111-111111111111'
export const turnId = '33333333-3333-4333-8333-333333333333'
export const silent = { debug() {}, info() {}, warn() {}, error() {} }

export interface GatewayFixture extends AsyncDisposable {
  clock: FakeClock
  store: SqliteStore
  folder: string
  cwd: string
  stateFolder: string
  gateway: PermissionGateway
  rules: Rules
  audit: Audit
  permissions: SessionPermissions
  session: SessionContext
  events: NewEvent[]
  published: ServerEvent[]
  config: { rules: Config['rules']; approvals: Config['approvals'] }
  /** What the session is, for the next call. */
  now: { unattended: boolean; permissionMode: string }
  /** The newest approval, once it is shown to the session. */
  shown(): Promise<Approval>
  auditEntries(): Promise<AuditEntry[]>
}

export interface FixtureOptions {
  clock?: FakeClock & Clock
  approvals?: (store: ApprovalStore) => ApprovalStore
  auditLog?: (log: AuditLog) => AuditLog
}

export async function openGateway(options: FixtureOptions = {}): Promise<GatewayFixture> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-gateway-')))
  const clock = options.clock ?? createFakeClock()
  const store = await openSqliteStore({ path: join(folder, 'state', 'dorkos.db'), clock, logger: silent })
  const stateFolder = join(folder, 'state')
  const config: GatewayFixture['config'] = { rules: [], approvals: { deadlineMinutes: 240 } }
  const published: ServerEvent[] = []
  const publish = (event: ServerEvent) => void published.push(event)
  const log = store.records.audit
  const audit = createAudit({ log: options.auditLog?.(log) ?? log, clock })
  const rules = createRules({ store: store.records.rules, audit, clock, config: () => config, publish })
  const approvals = options.approvals?.(store.coordination.approvals) ?? store.coordination.approvals
  const gateway = createPermissionGateway({
    approvals,
    rules,
    audit,
    clock,
    config: () => config,
    publish,
    logger: silent,
    protectedFolders: [stateFolder],
  })
  const grant = await store.coordination.leases.acquire(sessionId, 'test/1', 3_600_000, 'test')
  const events: NewEvent[] = []
  const shows: ((approval: Approval) => void)[] = []
  const now = { unattended: false, permissionMode: 'default' }
  const session: SessionContext = {
    sessionId,
    epoch: grant?.epoch ?? 0,
    cwd: folder,
    principal: 'owner',
    workspace: { id: 'ws_12345678', name: 'home', path: folder },
    profileRules: [],
    unattended: () => now.unattended,
    folderConfirmed: () => true,
    turnId: () => turnId,
    permissionMode: () => now.permissionMode,
    hooks: noHooks(),
    emit(event) {
      events.push(event)
      if ('approval' in event) for (const show of shows.splice(0)) show(event.approval)
    },
  }
  const permissions = gateway.openFor(session)
  return {
    clock,
    store,
    folder,
    cwd: folder,
    stateFolder,
    gateway,
    rules,
    audit,
    permissions,
    session,
    events,
    published,
    config,
    now,
    shown: () => new Promise((resolve) => shows.push(resolve)),
    auditEntries: async () =>
      (await log.list({ principals: [ownerPrincipal, serverPrincipal], limit: 1000 })).toReversed(),
    async [Symbol.asyncDispose]() {
      await permissions.close(say('cli_words', { text: 'The test is over.' }))
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let calls = 0

/** A question of the CLI's about a tool call. */
export function asks(
  tool: string,
  input: Record<string, unknown>,
  signal = new AbortController().signal,
): PermissionQuestion {
  const more = { reason: undefined, agentId: undefined, commandRule: undefined }
  return { toolCallId: `toolu_${++calls}`, tool, input, ...more, signal }
}
