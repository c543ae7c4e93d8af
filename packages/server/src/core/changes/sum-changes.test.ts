import { describe, expect, it } from 'vitest'
import type { FileVersion } from '../ports/file-snapshots.ts'
import type { TurnTrees } from '../ports/turn-trees.ts'
import { changedPaths, type SpanChanges, spanView, sumFile, totalView, whyAsk } from './sum-changes.ts'

const version = (hash: string, kind: FileVersion['kind'] = 'file'): FileVersion => ({ kind, hash, bytes: 1 })

type Change = [path: string, before: string | undefined, after: string | undefined, by?: 'agent' | 'both']

function span(changes: Change[], kind: TurnTrees['kind'] = 'turn'): SpanChanges {
  const named = changes.flatMap(([path, , , by]) => (by ? [{ path, mixed: by === 'both' }] : []))
  return {
    running: false,
    trees: {
      id: 'id',
      sessionId: 's',
      kind,
      directory: '/w',
      before: 'x',
      after: 'y',
      named,
      outside: [],
      complete: true,
      at: '2026-01-01T00:00:00.000Z',
    },
    changes: new Map(
      changes.map(([path, before, after]) => [
        path,
        { path, before: before ? version(before) : undefined, after: after ? version(after) : undefined },
      ]),
    ),
  }
}

describe('over several turns', () => {
  it('a file is what it was before the first and after the last that changed it', () => {
    const spans = [
      span([['a', '1', '2', 'agent']]),
      span([['b', undefined, '9']]),
      span([['a', '2', '3', 'agent']]),
    ]
    expect(changedPaths(spans)).toEqual(['a', 'b'])
    expect(sumFile(spans, 'a')).toMatchObject({ before: version('1'), after: version('3'), by: 'agent' })
    expect(sumFile(spans, 'b')).toMatchObject({ before: undefined, by: 'command_or_person' })
    expect(sumFile(spans, 'c')).toBeUndefined()
  })

  it('it is the agent’s alone only where nobody wrote it in between, or meanwhile', () => {
    const by = (...spans: SpanChanges[]) => sumFile(spans, 'a')?.by
    expect(by(span([['a', '1', '2', 'agent']]), span([['a', 'person', '3', 'agent']]))).toBe('both')
    expect(by(span([['a', '1', '2', 'both']]))).toBe('both')
    expect(by(span([['a', '1', '2', 'agent']]), span([['a', '2', '3']]))).toBe('both')
    expect(by(span([['a', '1', '2']]), span([['a', 'x', '3']]))).toBe('command_or_person')
    // What was put back here is no one else's.
    expect(by(span([['a', '1', '2', 'agent']]), span([['a', '2', '3']], 'reverted'))).toBe('agent')
  })
})

describe('in total', () => {
  const file = { path: 'a', before: version('1'), after: version('2'), by: 'agent' as const }

  it('leaves out what is again as it was', () => {
    expect(totalView(file, version('1'))).toBeUndefined()
    expect(totalView({ ...file, before: undefined }, undefined)).toBeUndefined()
  })

  it('says what became of the file, by what there is now', () => {
    expect(totalView(file, version('2'))).toMatchObject({
      change: 'modified',
      changed_since: false,
      hash: 'file:2',
      restorable: true,
    })
    expect(totalView(file, undefined)).toMatchObject({
      change: 'deleted',
      changed_since: true,
      hash: 'absent',
    })
    expect(totalView({ ...file, before: undefined }, version('2'))).toMatchObject({ change: 'created' })
    expect(totalView({ ...file, before: version('1', 'large') }, version('2'))).toMatchObject({
      restorable: false,
    })
  })

  it('asks unless only the agent wrote it', () => {
    expect(whyAsk(file, version('2'))).toBeUndefined()
    expect(whyAsk(file, version('3'))).toBe('changed_since')
    expect(whyAsk(file, version('2', 'executable'))).toBe('changed_since')
    expect(whyAsk({ ...file, by: 'both' }, version('2'))).toBe('both')
    expect(whyAsk({ ...file, by: 'command_or_person' }, version('2'))).toBe('command_or_person')
  })
})

it('shows a turn with its files and who wrote them', () => {
  const turn = span([
    ['a', '1', '2', 'agent'],
    ['b', '1', undefined],
  ])
  expect(spanView(turn)).toMatchObject({
    kind: 'turn',
    files: [
      { path: 'a', change: 'modified', by: 'agent' },
      { path: 'b', change: 'deleted', by: 'command_or_person' },
    ],
  })
})
