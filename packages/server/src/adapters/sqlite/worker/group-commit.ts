/**
 * Works on a group of requests. Writes that must survive a crash of the process only (events) come first and share one
 * commit; then reads, which so never see what could still be undone; then writes that must survive a power cut, which share
 * one wait for the disk. Replies go out after each of the three.
 */
import { concernsOperationOnly, toFailure } from './failure.ts'
import { type Operation, operation } from './operation.ts'
import { operations } from './operations.ts'
import type { Reply, Request } from './protocol.ts'
import type { WorkerStore } from './worker-store.ts'

type Replies = [place: number, reply: Reply][]
type Place = { place: number; request: Request; operation: Operation<never, unknown> }

export function commitGroup(
  store: WorkerStore,
  requests: Request[],
  send: (message: { replies: Replies; wrote: boolean; done: boolean }) => void,
): void {
  const places = requests.map((request, place): Place => ({ place, request, operation: find(request) }))
  const parts = (['normal', 'none', 'full'] as const)
    .map((commit) => ({ commit, entries: places.filter((entry) => entry.operation.commit === commit) }))
    .filter((part) => part.entries.length > 0)
  for (const [index, { commit, entries }] of parts.entries()) {
    const replies = commit === 'none' ? readAll(store, entries) : commitAll(store, entries, commit)
    send({ replies, wrote: commit !== 'none', done: index === parts.length - 1 })
  }
}

function find(request: Request): Operation<never, unknown> {
  // The name decides the input's type on the other side of the thread; here it can only be believed.
  const found = Object.hasOwn(operations, request.name) ? operations[request.name] : undefined
  return (
    found ??
    operation('none', () => {
      throw new Error(`there is no operation ${request.name}`)
    })
  )
}

function commitAll(store: WorkerStore, part: Place[], commit: 'normal' | 'full'): Replies {
  try {
    return store.database.transaction(commit, () =>
      part.map((entry): [number, Reply] => [entry.place, runUndoable(store, entry)]),
    )
  } catch (error) {
    const failure = toFailure(error, store.database.path)
    return part.map(({ place }) => [place, { failure }])
  }
}

function runUndoable(store: WorkerStore, entry: Place): Reply {
  try {
    return { value: store.database.savepoint(() => entry.operation.run(store, entry.request.input as never)) }
  } catch (error) {
    if (!concernsOperationOnly(error)) throw error
    return { failure: toFailure(error, store.database.path) }
  }
}

function readAll(store: WorkerStore, part: Place[]): Replies {
  return part.map(({ place, request, operation }) => {
    try {
      return [place, { value: operation.run(store, request.input as never) }]
    } catch (error) {
      return [place, { failure: toFailure(error, store.database.path) }]
    }
  })
}
