/**
 * Works on a group of requests. Writes that must survive a crash of the process only (events) come first and share one
 * commit; then reads, which so never see what could still be undone; then writes that must survive a power cut, which share
 * one wait for the disk. Replies go out after each of the three.
 */
import { concernsOperationOnly, toFailure } from './failure.ts'
import { type Operation, operation } from './operation.ts'
import { operations } from './operations.ts'
import type { OperationReply, Request } from './protocol.ts'
import type { WorkerStore } from './worker-store.ts'

type Replies = [index: number, reply: OperationReply][]
type NumberedRequest = { index: number; request: Request; operation: Operation<never, unknown> }

export function commitGroup(
  store: WorkerStore,
  requests: Request[],
  send: (message: { replies: Replies; wrote: boolean; done: boolean }) => void,
): void {
  const numbered = requests.map(
    (request, index): NumberedRequest => ({ index, request, operation: find(request) }),
  )
  const parts = (['normal', 'none', 'full'] as const)
    .map((commit) => ({ commit, entries: numbered.filter((entry) => entry.operation.commit === commit) }))
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

function commitAll(store: WorkerStore, part: NumberedRequest[], commit: 'normal' | 'full'): Replies {
  try {
    return store.database.transaction(commit, () =>
      part.map((entry): [number, OperationReply] => [entry.index, runUndoable(store, entry)]),
    )
  } catch (error) {
    const failure = toFailure(error, store.database.path)
    return part.map(({ index }) => [index, { failure }])
  }
}

function runUndoable(store: WorkerStore, entry: NumberedRequest): OperationReply {
  try {
    return { value: store.database.savepoint(() => entry.operation.run(store, entry.request.input as never)) }
  } catch (error) {
    if (!concernsOperationOnly(error)) throw error
    return { failure: toFailure(error, store.database.path) }
  }
}

function readAll(store: WorkerStore, part: NumberedRequest[]): Replies {
  return part.map(({ index, request, operation }) => {
    try {
      return [index, { value: operation.run(store, request.input as never) }]
    } catch (error) {
      return [index, { failure: toFailure(error, store.database.path) }]
    }
  })
}
