/** Followed in real directories, with real snapshots; calls are made by hand, as the CLI's hooks make them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileSnapshots } from '../../adapters/file-snapshots/file-snapshots.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import { createWorkspaceFiles } from '../../adapters/workspace-files/workspace-files.ts'
import type { FileSnapshots } from '../ports/file-snapshots.ts'
import type { TurnTrees } from '../ports/turn-trees.ts'
import { TrackedChanges } from './tracked-changes.ts'

let root: string
let directory: string
let snapshots: FileSnapshots
let stored: Map<string, TurnTrees>
let taken: number
let faults: unknown[]
let updates: number
let changes: TrackedChanges

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-tracked-')))
  directory = join(root, 'work')
  mkdirSync(directory)
  const files = createWorkspaceFiles({ env: { PATH: '' }, closed: [] })
  const real = createFileSnapshots({ folder: join(root, 'kept'), files })
  taken = 0
  snapshots = new Proxy(real, {
    get(target, name) {
      if (name === 'take' || name === 'takeAfter') taken++
      const method: unknown = Reflect.get(target, name)
      return typeof method === 'function' ? method.bind(target) : method
    },
  })
  stored = new Map()
  faults = []
  updates = 0
  changes = open()
})
afterEach(async () => {
  await changes.close()
  rmSync(root, { recursive: true, force: true })
})

function open(): TrackedChanges {
  const note = (fields: object) => void faults.push(fields)
  const trees = {
    put: async (one: TurnTrees) => void stored.set(one.id, structuredClone(one)),
    remove: async (id: string) => void stored.delete(id),
    list: async () => [...stored.values()],
  }
  return new TrackedChanges(
    { snapshots, trees, clock: systemClock, logger: { debug() {}, info() {}, warn: note, error: note } },
    { sessionId: 's', directory, updated: () => updates++, closed() {} },
  )
}

let calls = 0
const write = (path: string, text: string) => writeFileSync(join(directory, path), text)

/** A call from its hook before to its hook after. */
async function call(tool: string, input: Record<string, unknown>, run: () => void): Promise<void> {
  const one = { toolCallId: `call-${++calls}`, tool, input }
  await changes.beforeCall(one)
  run()
  await changes.afterCall(one)
}
const edit = (path: string, text: string) =>
  call('Edit', { file_path: join(directory, path) }, () => write(path, text))
const bash = (run: () => void) => call('Bash', { command: 'x' }, run)

async function turn(id: string, work: () => Promise<void>): Promise<void> {
  changes.turnBegan(id)
  await work()
  changes.turnEnded()
  await changes.settled()
}

/** Each span that is over, with its paths, and who wrote each. */
async function spans() {
  const all = await Promise.all(
    [...stored.values()]
      .filter(({ after }) => after !== undefined)
      .map(async ({ kind, turnId, before = '', after = '', named }) => ({
        kind,
        turnId,
        files: Object.fromEntries(
          (await snapshots.changed(directory, before, after)).map(({ path }) => {
            const found = named.find((one) => one.path === path)
            return [path, found ? (found.mixed ? 'both' : 'agent') : 'other']
          }),
        ),
      })),
  )
  return all
}

it('takes no snapshot of a turn that only reads', async () => {
  await turn('t1', async () => {
    for (const tool of ['Read', 'Grep', 'Glob', 'TodoWrite', 'Agent', 'WebFetch', 'mcp__dorkos__ping'])
      await call(tool, {}, () => {})
  })
  expect([taken, stored.size, updates]).toEqual([0, 0, 0])
})

it('takes two of one that writes, however many calls it makes, and none is left of one that changes nothing', async () => {
  await turn('t1', async () => {
    await bash(() => {})
    await bash(() => {})
    await edit('a.txt', 'a')
  })
  expect([taken, updates]).toEqual([2, 1])
  expect(await spans()).toEqual([{ kind: 'turn', turnId: 't1', files: { 'a.txt': 'agent' } }])
  await turn('t2', () => bash(() => {}))
  expect([stored.size, updates]).toEqual([1, 1])
})

describe('who wrote a file', () => {
  it('is the agent where its file tools did alone', async () => {
    write('a.txt', 'a')
    await turn('t1', async () => {
      await edit('a.txt', 'b')
      await edit('a.txt', 'c')
      await bash(() => write('b.txt', 'b'))
    })
    expect((await spans())[0]?.files).toEqual({ 'a.txt': 'agent', 'b.txt': 'other' })
  })

  it.each([
    ['before the agent does', () => write('a.txt', 'person'), () => {}, () => {}],
    ['between its calls', () => {}, () => write('a.txt', 'person'), () => {}],
    ['after its last call', () => {}, () => {}, () => write('a.txt', 'person')],
  ])('is not known where somebody else writes it %s', async (_when, first, between, last) => {
    write('a.txt', 'a')
    await turn('t1', async () => {
      await bash(() => {})
      first()
      await edit('a.txt', 'b')
      between()
      await edit('a.txt', 'c')
      last()
    })
    expect((await spans())[0]?.files).toEqual({ 'a.txt': 'both' })
  })

  it('what a person changes while they are asked is not the agent’s', async () => {
    write('mine.txt', 'a')
    changes.turnBegan('t1')
    const one = { toolCallId: 'asked', tool: 'Bash', input: { command: 'x' } }
    await changes.beforeCall(one)
    write('mine.txt', 'changed while asked')
    await changes.beforeCall(one)
    write('made.txt', 'by the command')
    await changes.afterCall(one)
    changes.turnEnded()
    await changes.settled()
    expect((await spans())[0]?.files).toEqual({ 'made.txt': 'other' })
  })
})

it('what it does in the background between turns is by itself', async () => {
  changes.backgroundTasksChanged(1)
  await turn('t1', () => edit('a.txt', 'a'))
  write('late.txt', 'by a task')
  changes.backgroundTasksChanged(0)
  await changes.settled()
  write('person.txt', 'nobody works')
  await turn('t2', () => edit('b.txt', 'b'))
  expect(await spans()).toEqual([
    { kind: 'turn', turnId: 't1', files: { 'a.txt': 'agent' } },
    { kind: 'background', turnId: undefined, files: { 'late.txt': 'other' } },
    { kind: 'turn', turnId: 't2', files: { 'b.txt': 'agent' } },
  ])
})

it('a task that goes on into the next turn ends its own part where that begins to write', async () => {
  changes.backgroundTasksChanged(1)
  await turn('t1', () => bash(() => {}))
  write('late.txt', 'by a task')
  await turn('t2', () => edit('b.txt', 'b'))
  expect(await spans()).toMatchObject([
    { kind: 'background', files: { 'late.txt': 'other' } },
    { kind: 'turn', files: { 'b.txt': 'agent' } },
  ])
})

it('names what file tools write elsewhere, by links too', async () => {
  mkdirSync(join(root, 'elsewhere'))
  symlinkSync(join(root, 'elsewhere'), join(directory, 'link'))
  await turn('t1', async () => {
    await call('Write', { file_path: join(root, 'outside.txt') }, () => {})
    await call('Write', { file_path: join(directory, 'link/x.txt') }, () => {})
  })
  expect([...stored.values()][0]?.outside).toEqual([join(root, 'outside.txt'), join(root, 'elsewhere/x.txt')])
})

it('shows what goes on, and what a killed server left', async () => {
  changes.turnBegan('t1')
  await edit('a.txt', 'a')
  expect(await changes.running()).toMatchObject({ turnId: 't1', named: [{ path: 'a.txt', mixed: false }] })
  // The server is killed here; the agent wrote once more.
  write('b.txt', 'b')
  changes = open()
  await changes.settled()
  expect(await spans()).toEqual([
    { kind: 'turn', turnId: 't1', files: { 'a.txt': 'other', 'b.txt': 'other' } },
  ])
  expect(await changes.running()).toBeUndefined()
})

it('a snapshot that fails holds nothing up, and is said', async () => {
  const broken = open()
  snapshots.take = async () => {
    throw new Error('disk full')
  }
  broken.turnBegan('t1')
  await broken.beforeCall({ toolCallId: 'x', tool: 'Bash', input: {} })
  broken.turnEnded()
  await broken.settled()
  expect(faults).toHaveLength(1)
  expect([...stored.values()]).toMatchObject([{ complete: false, before: undefined }])
})
