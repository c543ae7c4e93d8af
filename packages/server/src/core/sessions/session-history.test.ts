import { afterEach, beforeEach, expect, it } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import { openTestStore, type TestStore } from '../../adapters/sqlite/test-store.conformance.ts'
import { acquire, newApproval, time } from '../ports/fixtures.conformance.ts'
import { newSession } from '../ports/session-records.conformance.ts'
import type { TranscriptReader } from '../ports/transcripts.ts'
import { SessionDirectory } from './session-directory.ts'
import { SessionHistory } from './session-history.ts'

let store: TestStore
beforeEach(async () => {
  store = await openTestStore()
})
afterEach(() => store.close())

/** One transcript for all: a fork begins with a copy of what was said before it. */
function historyOf(calls: string[]): SessionHistory {
  const { coordination, records } = store.store
  const content = calls.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }))
  const message = { id: 'msg_1', role: 'assistant', model: 'test', content }
  const entry = { type: 'assistant', uuid: 'entry-1', timestamp: time, message }
  const transcripts: TranscriptReader = {
    listSessions: async () => [],
    list: async () => [],
    get: async () => undefined,
    getMany: async () => new Map(),
    page: async () => ({ entries: [{ offset: 0, entry }], before: undefined }),
    subagent: async () => [],
    search: async () => ({ hits: [], complete: true }),
    onChange: () => () => undefined,
    progress: () => ({ transcripts: 0, indexed: 0 }),
    close: async () => undefined,
  }
  const { sessions, ledger } = records
  const directory = new SessionDirectory({
    ...coordination,
    sessions,
    ledger,
    transcripts,
    runner: () => undefined,
    workspaceFor: async () => undefined,
    pathOf: async () => '/projects',
    inUseElsewhere: async () => false,
  })
  return new SessionHistory({ transcripts, coordination, directory, ledger, sessions })
}

/** A session, a fork of it, a fork of that one and so on. Each decided one call. Answers with their ids, the newest first. */
async function forksOfForks(count: number): Promise<string[]> {
  const { coordination, records } = store.store
  const ids: string[] = []
  for (let left = count; left > 0; left--) {
    const { record } = await records.sessions.create(newSession({ forkedFrom: ids[0] }))
    const grant = await acquire(coordination, record.id)
    const asked = newApproval(record.id, { tool_call_id: `call-${left - 1}` })
    await coordination.approvals.open(asked, grant.epoch)
    await coordination.approvals.settle(
      asked.id,
      { state: 'allowed', decidedAt: time, decidedBy: { kind: 'person' } },
      { now: time },
    )
    ids.unshift(record.id)
  }
  return ids
}

it('shows of a fork what its nearest twenty ancestors decided, and looks no further', async () => {
  const generations = 25
  const [newest = ''] = await forksOfForks(generations)
  const calls = Array.from({ length: generations }, (_, ago) => `call-${ago}`)
  const { events } = await historyOf(calls).page(owner(), newest, { limit: 100 })
  const decided = events.flatMap((event) => (event.type === 'approval_resolved' ? [event.tool_call_id] : []))
  // Its own, and those of twenty.
  expect(decided.toSorted()).toEqual(calls.slice(0, 21).toSorted())
})
