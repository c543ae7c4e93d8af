/** Servers that share a folder for their configuration, and hear of each other by the bus alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { guest, owner } from '../../test/support/actors.ts'
import { createFakeClock } from '../../test/support/fake-clock.ts'
import { createFaultyBus, type FaultyBus } from '../../test/support/faulty-bus.ts'
import { silent } from '../../test/support/gateway-fixture.ts'
import { createMemoryEventBus } from '../adapters/memory/memory-event-bus.ts'
import { createConfigService, type LiveConfig } from '../config/config-service.ts'
import { createEventHub } from '../core/events/event-hub.ts'
import type { SessionRecord } from '../core/ports/records.ts'
import { CliSessions } from '../core/sessions/cli-sessions.ts'
import type { ComposeInput } from './compose-input.ts'
import { type ChangingParts, watchChanges } from './watch-changes.ts'

const actor = owner()
const key = 'approvals.deadlineMinutes'
let folder: string
let bus: FaultyBus
let closing: (() => void)[]
/** What all servers share. */
let stored: Map<string, SessionRecord>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-changes-'))
  bus = createFaultyBus(createMemoryEventBus())
  closing = []
  stored = new Map()
})
afterEach(() => {
  for (const close of closing) close()
  rmSync(folder, { recursive: true })
})

interface Server {
  config: LiveConfig
  /** How often it said that its configuration has changed. */
  said: () => number
  cliSessions: CliSessions
  /** What was done to its processes. */
  done: string[]
}

async function openServer(): Promise<Server> {
  // Nothing that the system reports is acted on: it reports nothing of another machine.
  const config = await createConfigService({ home: folder, env: {}, logger: silent, settleMs: 3_600_000 })
  let said = 0
  const store = {
    bus: {
      ...bus,
      publishServer: (...published: Parameters<FaultyBus['publishServer']>) => {
        said += 1
        bus.publishServer(...published)
      },
    },
  }
  const hub = createEventHub(bus, async () => ({ approvals: [], sessions: [] }))
  const cliSessions = new CliSessions({
    sessions: {
      list: async () => [...stored.values()],
      get: async (id) => stored.get(id),
      getMany: async () => stored,
    },
    runner: () => undefined,
  })
  const done: string[] = []
  const runner = {
    record: { workspaceId: 'ws_1' },
    checkWorkspace: async () => void done.push('workspace checked'),
  }
  const parts = {
    hub,
    directory: { cliSessions },
    auth: { forgetKnown() {} },
    rules: { reread() {} },
    transcripts: { onChange: () => () => {} },
    mcp: {
      signIns: { reread: async () => {} },
      workspaceChanged() {},
      mcp: { configChanged() {}, workspaceChanged() {}, reread: async () => {} },
    },
    spares: { endAll: () => done.push('spares ended') },
    manager: { runners: () => [runner] },
  } as unknown as ChangingParts
  const stops = watchChanges(
    { clock: createFakeClock(), logger: silent, config, store } as unknown as ComposeInput,
    parts,
  )
  closing.push(
    ...stops,
    () => hub.close(),
    () => config.close(),
  )
  return { config, said: () => said, cliSessions, done }
}

const time = '2026-01-01T00:00:00.000Z'
const deadlineOf = ({ config }: { config: LiveConfig }) => config.current().approvals.deadlineMinutes

it('a change of one server’s configuration is the others’, and said by each of them once', async () => {
  const servers = [await openServer(), await openServer(), await openServer()]
  await servers[0]?.config.change(actor, { [key]: 7 })
  expect(servers.map(deadlineOf)).toEqual([7, 7, 7])
  await servers[2]?.config.change(actor, { [key]: 8 })
  expect(servers.map(deadlineOf)).toEqual([8, 8, 8])
  expect(servers.map(({ said }) => said())).toEqual([2, 2, 2])
})

it('it is read when the news of it may have been missed', async () => {
  const [a, b] = [await openServer(), await openServer()]
  const before = deadlineOf(b)
  await bus.interrupt(async () => {
    await a.config.change(actor, { [key]: 7 })
    expect(deadlineOf(b)).toBe(before)
  })
  expect(deadlineOf(b)).toBe(7)
})

it('a session that another server made meanwhile is nobody else’s, and one that it deleted is gone', async () => {
  const { cliSessions } = await openServer()
  const record = (id: string) =>
    ({ id, principal: guest.principal, cliSessionIds: [] }) as unknown as SessionRecord
  stored.set('before', record('before'))
  await cliSessions.load()
  await bus.interrupt(() => {
    stored.delete('before')
    stored.set('meanwhile', record('meanwhile'))
  })
  expect(await cliSessions.transcriptsOf(actor)).toEqual({ except: ['meanwhile'] })
})

it('what runs in a workspace is looked at when that changed, and all when such news may have been missed', async () => {
  const { done } = await openServer()
  for (const workspace_id of ['ws_2', 'ws_1'])
    bus.publishServer({ type: 'workspace_changed', time, workspace_id }, null)
  expect(done).toEqual(['spares ended', 'spares ended', 'workspace checked'])
  await bus.interrupt(() => {})
  expect(done.slice(3)).toEqual(['spares ended', 'workspace checked'])
})
