import { ApiError, type Draft, NetworkError, type ServerEvent } from '@dorkos/shared'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mergedText, startDraftSync } from './draft-sync.ts'
import { changeDraft, clearDraft, messageDraftOf, setDraft } from './drafts.ts'

/** The server's side, by its rules, and another device that writes to it. */
function createServer() {
  const stored = new Map<string, Draft>()
  const events = new Set<(event: ServerEvent) => void>()
  const snapshots = new Set<() => void>()
  let clock = 1000
  const server = {
    stored,
    calls: [] as string[],
    isAway: false,
    /** Held up between what is stored and the answer. */
    gate: Promise.resolve(),
    write(key: string, text: string): Draft {
      const draft = { key, text, revision: ++clock, updated_at: '2026-01-01T00:00:00.000Z' }
      if (text === '') stored.delete(key)
      else stored.set(key, draft)
      for (const listener of events) listener({ type: 'draft_changed', time: draft.updated_at, draft })
      return draft
    },
    back: () => {
      server.isAway = false
      for (const listener of snapshots) listener()
    },
    delete: (id: string) => {
      for (const listener of events)
        listener({ type: 'session_deleted', time: '2026-01-01T00:00:00.000Z', session_id: id })
    },
    client: {
      listDrafts: async () => ({ drafts: [...stored.values()] }),
      saveDraft: async ({
        params: { key },
        body: { text, base_revision: base },
      }: {
        params: { key: string }
        body: { text: string; base_revision: number }
      }) => {
        server.calls.push(text)
        if (server.isAway) throw new NetworkError('away')
        const now = stored.get(key)
        if ((now?.revision ?? 0) !== base)
          throw new ApiError('conflict', 409, 'other', {
            details: { draft: now ?? { key, text: '', revision: 0 } },
          })
        const saved = server.write(key, text)
        await server.gate
        return saved
      },
    },
  }
  const stop = startDraftSync({
    client: server.client,
    onServerEvent: (listener) => {
      events.add(listener)
      return () => events.delete(listener)
    },
    onServerSnapshot: (listener) => {
      snapshots.add(listener)
      return () => snapshots.delete(listener)
    },
    onHidden: () => () => undefined,
  })
  return Object.assign(server, { stop })
}

const rest = () => vi.advanceTimersByTimeAsync(1000)
const settle = () => vi.advanceTimersByTimeAsync(0)
let server: ReturnType<typeof createServer>

beforeEach(async () => {
  vi.useFakeTimers()
  setDraft('s', { text: '', revision: 0, isSynced: true })
  server = createServer()
  await settle()
})
afterEach(() => {
  server.stop()
  vi.useRealTimers()
})

it('saves what was written when a moment has passed, once, and what is sent at once', async () => {
  changeDraft('s', { text: 'h' })
  changeDraft('s', { text: 'hello' })
  expect(server.calls).toEqual([])
  await rest()
  expect(server.calls).toEqual(['hello'])
  expect(messageDraftOf('s')).toMatchObject({ text: 'hello', isSynced: true, revision: 1001 })
  changeDraft('s', { text: 'hello you' })
  clearDraft('s')
  await settle()
  expect(server.calls).toEqual(['hello', ''])
  expect(server.stored.size).toBe(0)
  expect(messageDraftOf('s')).toMatchObject({ text: '', isSynced: true, revision: 0 })
  await rest()
  expect(server.calls).toHaveLength(2)
})

it('says nothing of what never left the device', async () => {
  changeDraft('s', { text: 'quick' })
  clearDraft('s')
  await rest()
  expect(server.calls).toEqual([])
})

it('takes what another device wrote, and that it was sent there', async () => {
  server.write('s', 'from the phone')
  expect(messageDraftOf('s')).toMatchObject({ text: 'from the phone', isSynced: true })
  changeDraft('s', { text: 'from the phone, on the laptop' })
  await rest()
  expect(server.stored.get('s')?.text).toBe('from the phone, on the laptop')
  server.write('s', '')
  expect(messageDraftOf('s').text).toBe('')
  changeDraft('s', { text: 'anew' })
  await rest()
  expect(server.stored.get('s')?.text).toBe('anew')
})

it('keeps both where two wrote at once, and the other device gets it', async () => {
  server.write('s', 'one')
  changeDraft('s', { text: 'two' })
  server.stored.set('s', { ...server.write('s', 'three') })
  expect(messageDraftOf('s')).toMatchObject({ text: 'three\n\ntwo', isSynced: false })
  await rest()
  expect(server.stored.get('s')?.text).toBe('three\n\ntwo')
})

it('keeps what was written without a network, and what came meanwhile', async () => {
  server.write('s', 'one')
  server.isAway = true
  changeDraft('s', { text: 'offline' })
  await rest()
  await vi.advanceTimersByTimeAsync(5000)
  expect(server.calls).toEqual(['offline', 'offline'])
  // Nobody hears of this one.
  server.stored.set('s', { key: 's', text: 'elsewhere', revision: 5000, updated_at: '' })
  server.back()
  await settle()
  await rest()
  expect(server.stored.get('s')?.text).toBe('elsewhere\n\noffline')
  expect(messageDraftOf('s')).toMatchObject({ text: 'elsewhere\n\noffline', isSynced: true })
})

it('loses nothing that comes while its own is under way', async () => {
  let open = () => {}
  server.gate = new Promise((resolve) => {
    open = resolve
  })
  changeDraft('s', { text: 'mine' })
  await rest()
  server.write('s', 'mine, and more of theirs')
  expect(messageDraftOf('s').text).toBe('mine')
  open()
  await settle()
  expect(messageDraftOf('s')).toMatchObject({ text: 'mine, and more of theirs', isSynced: true })
})

it('learns after an absence that one was sent elsewhere', async () => {
  server.write('s', 'one')
  server.stored.clear()
  server.back()
  await settle()
  expect(messageDraftOf('s')).toMatchObject({ text: '', revision: 0 })
})

it('lets go of what was written to a session that is deleted', async () => {
  changeDraft('s', { text: 'to nobody' })
  server.delete('s')
  await rest()
  expect(messageDraftOf('s').text).toBe('')
  expect(server.calls).toEqual([])
})

it('asks again for what the server refuses only when it is changed', async () => {
  const { saveDraft } = server.client
  server.client.saveDraft = async ({ body }) => {
    server.calls.push(body.text)
    throw new ApiError('not_found', 404, 'There is no such session.')
  }
  changeDraft('s', { text: 'a' })
  await rest()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.calls).toEqual(['a'])
  server.client.saveDraft = saveDraft
  changeDraft('s', { text: 'ab' })
  await rest()
  expect(server.stored.get('s')?.text).toBe('ab')
})

it.each([
  ['a', 'b', 'a\n\nb'],
  ['a', 'a and more', 'a and more'],
  ['a and more', 'a', 'a and more'],
  ['', 'ours', 'ours'],
  ['theirs', '', 'theirs'],
])('%j and %j are %j', (theirs, ours, both) => {
  expect(mergedText(theirs, ours)).toBe(both)
})
