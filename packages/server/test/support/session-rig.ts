/** The core of the sessions on stores in memory and an agent that a test drives by hand. */
import { randomUUID } from 'node:crypto'
import type { EventOf, NewEvent, StreamEvent, StreamEventType, Turn } from '@dorkos/shared'
import { createMemoryCoordination } from '../../src/adapters/memory/memory-coordination.ts'
import { EventPipeline } from '../../src/core/events/event-pipeline.ts'
import type { Coordination } from '../../src/core/ports/coordination.ts'
import type { SessionRecord, SessionStore } from '../../src/core/ports/records.ts'
import { AgentManager, defaultLeaseMs, type ManagerParts } from '../../src/core/sessions/agent-manager.ts'
import type {
  PermissionHandlers,
  ProcessChanges,
  ProcessCosts,
  ProcessSources,
} from '../../src/core/sessions/process-session.ts'
import type { SessionRunner } from '../../src/core/sessions/session-runner.ts'
import { Spares } from '../../src/core/sessions/spares.ts'
import { FakeAgent } from './fake-agent.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import { time } from './http-samples.ts'
import { noHooks } from './no-hooks.ts'

export interface SessionRig {
  agent: FakeAgent
  clock: FakeClock
  coordination: Coordination
  sessions: SessionStore
  manager: AgentManager
  /** At most two. */
  spares: Spares
  limits: { maxLive: number; maxMemoryMb: number; idleMs: number }
  /** All published events, in order. */
  events: StreamEvent[]
  faults: string[]
  of<T extends StreamEventType>(type: T, sessionId?: string): EventOf<T>[]
  /** The first published event of the type that fits, now or later. */
  next<T extends StreamEventType>(type: T, fits?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>
  record(id?: string): Promise<SessionRecord>
  send(content: string, options?: { id?: string; delivery?: 'queue' | 'steer' }): Promise<Turn>
  turn(id: string, sessionId?: string): Promise<Turn | undefined>
  /** Another run of the server on the same stores; the first one is forgotten as a crash forgets it. */
  crash(): Promise<SessionRig>
}

const sessionId = 'aaaaaaaa-0000-4000-8000-000000000001'

type RigParts = Partial<ManagerParts> & {
  sources?: Partial<ProcessSources>
  /** As `sources`, for what must know its session. */
  sourcesWith?(runner: SessionRunner): Partial<ProcessSources>
}

/** Without `before`: on empty stores. The manager is not started yet. */
export async function createSessionRig(
  before?: { coordination: Coordination; sessions: SessionStore; clock: FakeClock; agent: FakeAgent },
  { sources, sourcesWith, ...parts }: RigParts = {},
): Promise<SessionRig> {
  const clock = before?.clock ?? createFakeClock()
  const coordination = before?.coordination ?? createMemoryCoordination(clock)
  const sessions = before?.sessions ?? memorySessions()
  const agent = before?.agent ?? new FakeAgent()
  const events: StreamEvent[] = []
  const faults: string[] = []
  const limits = { maxLive: 4, maxMemoryMb: 4096, idleMs: 60_000 }
  const note = (_fields: object, message: string) => void faults.push(message)
  const logger = { debug: () => {}, info: () => {}, warn: note, error: note }
  const publish = (published: readonly StreamEvent[]) => {
    events.push(...published)
    agent.notifyWaiters()
  }
  const pipeline = new EventPipeline({ log: coordination.events, publish, clock, logger })
  const manager = new AgentManager({
    owner: `node/${randomUUID()}`,
    leaseMs: defaultLeaseMs,
    agent,
    coordination,
    sessions,
    pipeline,
    clock,
    logger,
    limits: () => limits,
    memoryOf: async () => 0,
    voidApprovals: async () => {},
    sourcesOf: (runner) => ({
      hooks: async () => noHooks(),
      spec: async (record) => specOf(record),
      permissions: async () => permissions(),
      costs: () => costs(),
      changes: () => noChanges(),
      checkWorkspace: async () => {},
      mcp: () => ({
        open: async (servers) => servers,
        started() {},
        inject: async () => {},
        health: (byCli) => [...byCli],
        turn() {},
        close() {},
      }),
      ...sources,
      ...sourcesWith?.(runner),
    }),
    changed: () => {},
    ...parts,
  })
  const spares = new Spares({ manager, clock, logger, most: () => 2, hooks: async () => noHooks() })
  const of = <T extends StreamEventType>(type: T, id?: string) =>
    events.filter(
      (event): event is EventOf<T> => event.type === type && (id === undefined || event.session === id),
    )
  const rig: SessionRig = {
    agent,
    clock,
    coordination,
    sessions,
    manager,
    spares,
    limits,
    events,
    faults,
    of,
    async next(type, fits = () => true) {
      await agent.until(() => of(type).some(fits))
      return of(type).find(fits) as never
    },
    record: async (id = sessionId) =>
      (await sessions.get(id)) ?? (await sessions.create(recordOf(id))).record,
    async send(content, { id = sessionId, delivery = 'queue' } = {}) {
      return manager.sendMessage(await rig.record(id), content, { principal: 'owner', delivery })
    },
    turn: (id, session = sessionId) => coordination.turns.get(session, id),
    crash: () =>
      createSessionRig(
        { coordination, sessions, clock, agent: new FakeAgent() },
        { ...parts, ...(sources && { sources }), ...(sourcesWith && { sourcesWith }) },
      ),
  }
  return rig
}

export function specOf(record: SessionRecord) {
  const { id, cwd, model, effort, permissionMode, maxTurns, outputSchema, title } = record
  const fixed = {
    settingSources: [],
    systemPromptAppend: '',
    env: {},
    // Without it no process is used.
    settings: { disableAllHooks: true },
    hooks: [],
    disallowedTools: [],
  }
  const start = { kind: 'new' as const, cliSessionId: id }
  return { sessionId: id, cwd, start, model, effort, permissionMode, maxTurns, outputSchema, title, ...fixed }
}

function noChanges(): ProcessChanges {
  return {
    beforeCall: async () => {},
    afterCall: async () => {},
    turnBegan() {},
    turnEnded() {},
    backgroundTasksChanged() {},
    close: async () => {},
  }
}

function permissions(): PermissionHandlers {
  return {
    onToolCall: async () => ({ verdict: 'pass', commandRules: [] }),
    onToolRan: () => undefined,
    onToolFinished: () => {},
    onToolDenied: () => {},
    onSkill: () => {},
    takeCounts: () => ({ ran: 0, denied: 0 }),
    onPermission: async () => ({ behavior: 'deny', message: 'nobody asks here' }),
    onElicitation: async () => ({ action: 'cancel' }),
    close: async () => {},
  }
}

function costs(): ProcessCosts {
  const none = async () => ({ turnEnd: {}, events: [] as NewEvent[] })
  return {
    opened: async () => {},
    refusal: () => undefined,
    turnEnded: none,
    turnLost: none,
    answered: () => {},
    closed: () => {},
  }
}

export function recordOf(id: string): SessionRecord {
  return {
    id,
    workspaceId: undefined,
    cwd: '/projects',
    title: undefined,
    firstPrompt: undefined,
    model: undefined,
    permissionMode: 'default',
    state: 'idle',
    cliSessionIds: [],
    archived: false,
    pinned: false,
    unattended: false,
    folderConfirmed: true,
    maxTurns: undefined,
    budgetUsd: undefined,
    outputSchema: undefined,
    demo: false,
    forkedFrom: undefined,
    resumeFrom: undefined,
    principal: 'owner',
    createdAt: time,
    updatedAt: time,
  }
}

function memorySessions(): SessionStore {
  const records = new Map<string, SessionRecord>()
  return {
    async create(record) {
      records.set(record.id, record)
      return { created: true, record }
    },
    get: async (id) => records.get(id),
    getMany: async (ids) => new Map([...records].filter(([id]) => ids.includes(id))),
    async change(id, change) {
      const record = records.get(id)
      if (!record) return undefined
      const changed = { ...record, ...change }
      records.set(id, changed)
      return changed
    },
    list: async ({ principal }) =>
      [...records.values()].filter((record) => principal === null || record.principal === principal),
    remove: async (id) => void records.delete(id),
    byCliId: async (cliId) =>
      [...records.values()].find(({ cliSessionIds }) => cliSessionIds.includes(cliId)),
  }
}
