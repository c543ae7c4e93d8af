import { expect, it } from 'vitest'
import { guest, owner } from '../../../test/support/actors.ts'
import { time } from '../../../test/support/http-samples.ts'
import { createSessionRig } from '../../../test/support/session-rig.ts'
import type { TranscriptReader } from '../ports/transcripts.ts'
import { type DirectoryParts, SessionDirectory } from './session-directory.ts'

const terminal = 'dddddddd-0000-4000-8000-000000000001'
const cleared = 'dddddddd-0000-4000-8000-000000000002'

/** A session of the owner's, one of the guest's that the CLI gave a second id on the way, and one that only a transcript tells of. */
async function directoryOfTwo() {
  const { sessions, coordination, manager, record } = await createSessionRig()
  const owners = await record()
  const { record: guests } = await sessions.create({
    ...owners,
    id: 'aaaaaaaa-0000-4000-8000-000000000002',
    principal: guest.principal,
    cliSessionIds: ['aaaaaaaa-0000-4000-8000-000000000002', cleared],
  })
  const info = async (sessionId: string) =>
    [terminal, cleared, owners.id, guests.id].includes(sessionId)
      ? { sessionId, path: `/${sessionId}.jsonl`, cwd: '/projects', createdAt: time, updatedAt: time }
      : undefined
  const directory = new SessionDirectory({
    sessions,
    transcripts: { get: info } as unknown as TranscriptReader,
    approvals: coordination.approvals,
    turns: coordination.turns,
    events: coordination.events,
    leases: coordination.leases,
    ledger: { spent: async () => 0 } as unknown as DirectoryParts['ledger'],
    runner: (id) => manager.peek(id),
    workspaceFor: async () => undefined,
    pathOf: async () => '/projects',
    inUseElsewhere: async () => false,
  })
  await directory.load()
  return { directory, owners: owners.id, guests: guests.id }
}

it('gives everybody what is theirs, by any id of the CLI’s, and the owner what was said in terminals', async () => {
  const { directory, owners, guests } = await directoryOfTwo()
  const all = [owners, guests, cleared, terminal]
  expect(await directory.visible(owner(), all)).toEqual(new Set([owners, terminal]))
  expect(await directory.visible(guest, all)).toEqual(new Set([guests, cleared]))
  for (const [actor, own] of [
    [owner(), [owners, terminal]],
    [guest, [guests, cleared]],
  ] as const)
    for (const id of all) {
      const got = directory.get(actor, id).then((session) => session.id)
      if (own.includes(id)) expect(await got).toBe(id)
      else await expect(got).rejects.toMatchObject({ code: 'not_found' })
    }
})

it('searches for the owner all that is nobody else’s, and for others their own alone', async () => {
  const { directory, owners, guests } = await directoryOfTwo()
  expect(directory.transcriptsOf(owner())).toEqual({ except: [guests, cleared] })
  expect(directory.transcriptsOf(guest)).toEqual({ only: [guests, cleared] })
  expect([owners, guests, cleared, terminal].map((id) => directory.principalOf(id))).toEqual([
    'owner',
    'guest',
    'guest',
    'owner',
  ])
})
