/** The records port on the database thread. */
import type { AuditEntry } from '@dorkos/shared'
import { isoTime } from '../../core/ports/clock.ts'
import type { DraftStore } from '../../core/ports/drafts.ts'
import type { HookConsentStore, StoredHookConsent } from '../../core/ports/hook-consents.ts'
import type { McpSignIn, McpStore, ToolPin } from '../../core/ports/mcp-store.ts'
import type {
  AuditLog,
  Ledger,
  NewAuditEntry,
  Records,
  RuleStore,
  SessionRecord,
  SessionStore,
  TokenStore,
  WorkspaceStore,
} from '../../core/ports/records.ts'
import type { TrustRecord, TrustStore } from '../../core/ports/trust.ts'
import type { TurnTreeStore, TurnTrees } from '../../core/ports/turn-trees.ts'
import type { AuditCheckResult } from './worker/audit-operations.ts'
import type { Call } from './worker-client.ts'

export function createSqliteRecords(call: Call): Records {
  return {
    sessions: createSessions(call),
    drafts: createDrafts(call),
    workspaces: createWorkspaces(call),
    rules: createRules(call),
    tokens: createTokens(call),
    audit: createAudit(call),
    ledger: createLedger(call),
    trust: createTrust(call),
    hookConsents: createHookConsents(call),
    mcp: createMcpStore(call),
    turnTrees: createTurnTrees(call),
    getValue: (key) => call('values.get', key),
    setValue: (key, value) => call('values.set', { key, value }),
  }
}

function createSessions(call: Call): SessionStore {
  const parse = (record: string) => JSON.parse(record) as SessionRecord
  const maybe = (record: string | undefined) => (record === undefined ? undefined : parse(record))
  return {
    async create(record, idempotencyKey) {
      const answer = await call('sessions.create', { record, idempotencyKey })
      return { created: answer.created, record: parse(answer.record) }
    },
    get: async (id) => maybe(await call('sessions.get', id)),
    async getMany(ids) {
      const records = (await call('sessions.getMany', ids)).map(parse)
      return new Map(records.map((record) => [record.id, record]))
    },
    change: async (id, change) => maybe(await call('sessions.change', { id, change })),
    list: async (filter) => (await call('sessions.list', filter)).map(parse),
    remove: (id) => call('sessions.remove', id),
    byCliId: async (cliSessionId) => maybe(await call('sessions.byCliId', cliSessionId)),
  }
}

function createDrafts(call: Call): DraftStore {
  return {
    list: (principal) => call('drafts.list', principal),
    save: (draft, base, most) => call('drafts.save', { draft, base, most }),
  }
}

function createWorkspaces(call: Call): WorkspaceStore {
  return {
    create: (workspace) => call('workspaces.create', workspace),
    change: (id, change, from) => call('workspaces.change', { id, change, from }),
    remove: (id) => call('workspaces.remove', id),
    get: (id) => call('workspaces.get', id),
    list: () => call('workspaces.list'),
  }
}

function createRules(call: Call): RuleStore {
  return {
    create: (rule) => call('rules.create', rule),
    change: (id, change) => call('rules.change', { id, change }),
    revoke: (id, at) => call('rules.revoke', { id, at }),
    get: (id) => call('rules.get', id),
    list: ({ principal, revoked }) => call('rules.list', { principal, revoked }),
  }
}

function createTokens(call: Call): TokenStore {
  return {
    create: (token) => call('tokens.create', token),
    byHash: (hash) => call('tokens.byHash', hash),
    list: ({ principal }) => call('tokens.list', { principal }),
    revoke: (id, at) => call('tokens.revoke', { id, at }),
    rename: (id, name) => call('tokens.rename', { id, name }),
    touch: (id, use) => call('tokens.touch', { id, use }),
  }
}

function createAudit(call: Call): AuditLog {
  return {
    append: (entries) =>
      call(
        'audit.append',
        entries.map((entry) => JSON.stringify(entry)),
      ),
    async list({ principals, sessionId, workspaceId, tool, action, before, limit }) {
      const rows = await call('audit.list', {
        principals,
        sessionId,
        workspaceId,
        tool,
        action,
        before,
        limit,
      })
      return rows.map(
        ({ id, entry, hash }): AuditEntry => ({ id, ...(JSON.parse(entry) as NewAuditEntry), hash }),
      )
    },
    has: (action) => call('audit.has', { action }),
    async verify() {
      let result: AuditCheckResult = { goOn: { id: 0, hash: '' } }
      while ('goOn' in result) result = await call('audit.check', result.goOn)
      return { intact: result.firstFault === undefined, ...result }
    },
  }
}

function createLedger(call: Call): Ledger {
  return {
    append: (entries) => call('ledger.append', entries),
    list: ({ principal, sessionId, before, limit }) =>
      call('ledger.list', { principal, sessionId, before, limit }),
    totals: ({ principal, group, from, to, demo }) =>
      call('ledger.totals', { principal, group, from: comparable(from), to: comparable(to), demo }),
    spent: ({ principal, sessionId, from, upTo }) =>
      call('ledger.spent', { principal, sessionId, from: comparable(from), upTo }),
  }
}

function parseSignIn(record: string): McpSignIn {
  const { place, ...signIn } = JSON.parse(record) as Omit<McpSignIn, 'audience'> & { place?: string }
  return { ...signIn, ...(place !== undefined && { audience: place }) }
}

function createMcpStore(call: Call): McpStore {
  return {
    pins: async (serverKey) =>
      (await call('mcp.pins', serverKey)).map((record) => JSON.parse(record) as ToolPin),
    setPins: (serverKey, pins) =>
      call('mcp.setPins', {
        serverKey,
        pins: pins.map((pin) => ({ tool: pin.tool, record: JSON.stringify(pin) })),
      }),
    removePins: (serverKey, tools) => call('mcp.removePins', { serverKey, tools: [...tools] }),
    switches: () => call('mcp.switches'),
    switchOff: (what) => call('mcp.switchOff', what),
    switchOn: ({ target, server, tool }) =>
      call('mcp.switchOn', { target, server, ...(tool !== undefined && { tool }) }),
    sharings: () => call('mcp.sharings'),
    setSharing: (choice) => call('mcp.setSharing', choice),
    removeSharing: ({ workspaceId, server }) => call('mcp.removeSharing', { workspaceId, server }),
    asking: () => call('mcp.asking'),
    setAsking: (serverKey) => call('mcp.setAsking', serverKey),
    signIns: async () => (await call('mcp.signIns')).map(parseSignIn),
    setSignIn: ({ audience, ...signIn }) =>
      call('mcp.setSignIn', { key: signIn.key, record: JSON.stringify({ ...signIn, place: audience }) }),
    removeSignIn: (key) => call('mcp.removeSignIn', key),
  }
}

function createTrust(call: Call): TrustStore {
  return {
    async get(workspaceId) {
      const record = await call('trust.get', workspaceId)
      return record === undefined ? undefined : (JSON.parse(record) as TrustRecord)
    },
    digestOf: (workspaceId) => call('trust.digestOf', workspaceId),
    put: (record) =>
      call('trust.put', {
        workspaceId: record.workspaceId,
        digest: record.digest,
        record: JSON.stringify(record),
      }),
    remove: (workspaceId) => call('trust.remove', workspaceId),
  }
}

function createHookConsents(call: Call): HookConsentStore {
  const parse = (record: string) => JSON.parse(record) as StoredHookConsent
  return {
    list: async () => (await call('hookConsents.list')).map(parse),
    put: (consent) => call('hookConsents.put', { digest: consent.digest, record: JSON.stringify(consent) }),
    async remove(digest) {
      const record = await call('hookConsents.remove', digest)
      return record === undefined ? undefined : parse(record)
    },
  }
}

function createTurnTrees(call: Call): TurnTreeStore {
  return {
    put: (trees) =>
      call('turnTrees.put', { id: trees.id, sessionId: trees.sessionId, record: JSON.stringify(trees) }),
    remove: (id) => call('turnTrees.remove', id),
    async list(sessionId) {
      const records = await call('turnTrees.list', sessionId)
      return records.map((record) => JSON.parse(record) as TurnTrees)
    },
  }
}

/** Stored times have milliseconds and compare as text; a filter's may not. */
function comparable(time: string | undefined): string | undefined {
  return time === undefined ? undefined : isoTime(Date.parse(time))
}
