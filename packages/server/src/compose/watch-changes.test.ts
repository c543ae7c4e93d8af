/** Servers that share a folder for their configuration, and hear of each other by the bus alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { owner } from '../../test/support/actors.ts'
import { createFakeClock } from '../../test/support/fake-clock.ts'
import { createFaultyBus, type FaultyBus } from '../../test/support/faulty-bus.ts'
import { silent } from '../../test/support/gateway-fixture.ts'
import { createMemoryEventBus } from '../adapters/memory/memory-event-bus.ts'
import { createConfigService, type LiveConfig } from '../config/config-service.ts'
import { createEventHub } from '../core/events/event-hub.ts'
import type { ComposeInput } from './compose-input.ts'
import { type ChangingParts, watchChanges } from './watch-changes.ts'

const actor = owner()
const key = 'approvals.deadlineMinutes'
let folder: string
let bus: FaultyBus
let closing: (() => void)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-changes-'))
  bus = createFaultyBus(createMemoryEventBus())
  closing = []
})
afterEach(() => {
  for (const close of closing) close()
  rmSync(folder, { recursive: true })
})

/** Its configuration, and how often it said that this has changed. */
async function openServer(): Promise<{ config: LiveConfig; said: () => number }> {
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
  const parts = {
    hub,
    auth: { forgetKnown() {} },
    rules: { reread() {} },
    transcripts: { onChange: () => () => {} },
    mcp: {
      signIns: { reread: async () => {} },
      mcp: { configChanged() {}, workspaceChanged() {}, reread: async () => {} },
    },
    spares: { endAll() {} },
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
  return { config, said: () => said }
}

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
