import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { guest, owner } from '../../../test/support/actors.ts'
import { time } from '../../../test/support/http-samples.ts'
import { createSessionRig } from '../../../test/support/session-rig.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { TranscriptReader } from '../ports/transcripts.ts'
import { CliSessions } from './cli-sessions.ts'
import { type DirectoryParts, SessionDirectory } from './session-directory.ts'

const terminal = 'dddddddd-0000-4000-8000-000000000001'
const cleared = 'dddddddd-0000-4000-8000-000000000002'

/** A session of the owner's, one of the guest's that the CLI gave a second id on the way, and one that only a transcript knows of. */
async function directoryOfTwo() {
  const { sessions, coordination, manager, record } = await createSessionRig()
  const owners = await record()
  const { record: guests } = await sessions.create({
    ...owners,
    id: 'aaaaaaaa-0000-4000-8000-000000000002',
    principal: guest.principal,
    cliSessionIds: ['aaaaaaaa-0000-4000-8000-000000000002', cleared],
  })
  const inFiles = [terminal, cleared, owners.id, guests.id]
  const infoOf = (sessionId: string) => ({
    sessionId,
    path: `/${sessionId}.jsonl`,
    cwd: '/projects',
    createdAt: time,
    updatedAt: time,
  })
  const info = async (id: string) => (inFiles.includes(id) ? infoOf(id) : undefined)
  const infos = async (ids: readonly string[]) =>
    new Map(ids.filter((id) => inFiles.includes(id)).map((id) => [id, infoOf(id)]))
  const list = async () => inFiles.map(infoOf)
  const directory = new SessionDirectory({
    sessions,
    transcripts: { get: info, getMany: infos, list } as unknown as TranscriptReader,
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
  await directory.cliSessions.load()
  return { directory, sessions, inFiles, owners: owners.id, guests: guests.id, guestsRecord: guests }
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
  expect(await directory.cliSessions.transcriptsOf(owner())).toEqual({ except: [guests, cleared] })
  expect(await directory.cliSessions.transcriptsOf(guest)).toEqual({ only: [guests, cleared] })
  expect([owners, guests, cleared, terminal].map((id) => directory.cliSessions.principalOf(id))).toEqual([
    'owner',
    'guest',
    'guest',
    'owner',
  ])
})

it('takes no transcript of another’s for a terminal’s, once news of other servers may have been missed', async () => {
  const { directory, sessions, inFiles, owners, guests, guestsRecord } = await directoryOfTwo()
  const { cliSessions } = directory
  // Another server made the one, with a second id of the CLI's, and deleted the other.
  const [made, second] = ['aaaaaaaa-0000-4000-8000-000000000003', 'dddddddd-0000-4000-8000-000000000003']
  await sessions.create({ ...guestsRecord, id: made, cliSessionIds: [made, second] })
  await sessions.remove(guests)
  inFiles.push(made, second)
  const { list } = sessions
  sessions.list = async (filter) => {
    if (filter.principal === null) await setImmediate()
    return list(filter)
  }
  const reading = cliSessions.reread()
  const listed = async () => {
    const all = await directory.list(owner(), { limit: 10 })
    return all.sessions.map(({ id }) => id).toSorted()
  }
  const [first, except, visible] = await Promise.all([
    listed(),
    cliSessions.transcriptsOf(owner()),
    directory.visible(owner(), [second]),
  ])
  await reading
  expect(first).toEqual([owners, terminal])
  expect(except).toEqual({ except: [made, second] })
  expect([...visible]).toEqual([])
  await expect(directory.get(owner(), second)).rejects.toMatchObject({ code: 'not_found' })
  await expect(directory.get(guest, guests)).rejects.toMatchObject({ code: 'not_found' })
})

it('tells nobody of transcripts while the records cannot be read, and reads them for whoever asks next', async () => {
  const { directory, sessions, owners } = await directoryOfTwo()
  const { list } = sessions
  sessions.list = async () => Promise.reject(new Error('no store'))
  await expect(directory.cliSessions.reread()).rejects.toThrow('no store')
  await expect(directory.visible(owner(), [owners])).rejects.toThrow('no store')
  sessions.list = list
  expect(await directory.visible(owner(), [owners])).toEqual(new Set([owners]))
})

it('keeps an id that a process here has before its session is stored', async () => {
  const cliSessions = new CliSessions({
    sessions: { list: async () => [], get: async () => undefined, getMany: async () => new Map() },
    runner: (id) => (id === 'reserved' ? {} : undefined),
  })
  const note = (id: string) =>
    cliSessions.note({ id, principal: guest.principal, cliSessionIds: [] } as unknown as SessionRecord)
  note('reserved')
  note('gone')
  await cliSessions.reread()
  expect(['reserved', 'gone'].map((id) => cliSessions.isOurs(id))).toEqual([true, false])
  expect(cliSessions.isDeleted('gone')).toBe(true)
})
