import type { Workspace } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { sampleSession } from './sample-session.ts'
import { groupSessions, listRows, mergeSessions, neighbourSession } from './session-groups.ts'

const at = (minute: number) => `2025-06-01T10:${String(minute).padStart(2, '0')}:00.000Z`
const one = (id: string, minute: number, more = {}) => sampleSession({ id, updated_at: at(minute), ...more })
const ids = (sessions: readonly { id: string }[]) => sessions.map(({ id }) => id)

const workspace = (id: string, name: string): Workspace => ({
  id,
  name,
  path: `/projects/${name}`,
  trusted: true,
  trust: 'trusted',
  mode: 'host',
  main: false,
  created_at: at(0),
})

describe('mergeSessions', () => {
  it('has each session once, the newest first', () => {
    const merged = mergeSessions([one('a', 1), one('b', 3)], [one('c', 2), one('a', 5)], 'active')
    expect(ids(merged)).toEqual(['a', 'b', 'c'])
    expect(merged[0]?.updated_at).toBe(at(5))
  })

  it('prefers what came live when both are as old, and what was listed when that is newer', () => {
    const [merged] = mergeSessions([one('a', 1)], [one('a', 1, { state: 'working' })], 'active')
    expect(merged?.state).toBe('working')
    const [listed] = mergeSessions([one('a', 2, { title: 'new' })], [one('a', 1)], 'active')
    expect(listed?.title).toBe('new')
  })

  it('shows of each filter only what fits it, also when it has just changed', () => {
    const all = [one('a', 1), one('b', 2, { archived: true }), one('c', 3, { origin: 'terminal' as const })]
    expect(ids(mergeSessions(all, [], 'active'))).toEqual(['c', 'a'])
    expect(ids(mergeSessions(all, [], 'archived'))).toEqual(['b'])
    expect(ids(mergeSessions(all, [], 'terminal'))).toEqual(['c'])
    expect(ids(mergeSessions(all, [one('a', 4, { archived: true })], 'active'))).toEqual(['c'])
  })
})

describe('groupSessions', () => {
  const sessions = [
    one('a', 9, { workspace_id: 'w1' }),
    one('b', 8, { workspace_id: 'w2', pinned: true }),
    one('c', 7, { workspace_id: 'w2' }),
    one('d', 6, { workspace_id: 'w1' }),
    one('e', 5, { cwd: '/tmp/some/where' }),
    one('f', 4, { cwd: '' }),
    one('g', 3, { workspace_id: 'gone', cwd: '/tmp/some/where' }),
  ]
  const groups = groupSessions(sessions, [workspace('w1', 'first'), workspace('w2', 'second')])

  it('puts pinned ones on top, then workspaces by their newest session, then other directories', () => {
    expect(groups.map(({ title, sessions: some }) => [title, ids(some)])).toEqual([
      ['Pinned', ['b']],
      ['first', ['a', 'd']],
      ['second', ['c']],
      ['where', ['e', 'g']],
      ['Elsewhere', ['f']],
    ])
  })

  it('gives rows, without those of closed groups', () => {
    const rows = listRows(groups, new Set(['workspace:w1', 'pinned']))
    expect(
      rows.map((row) => (row.kind === 'group' ? `${row.group.title}:${row.open}` : row.session.id)),
    ).toEqual([
      'Pinned:false',
      'first:false',
      'second:true',
      'c',
      'where:true',
      'e',
      'g',
      'Elsewhere:true',
      'f',
    ])
  })

  it('knows the neighbours, and stops at the ends', () => {
    expect(neighbourSession(groups, 'a', 1)?.id).toBe('d')
    expect(neighbourSession(groups, 'a', -1)?.id).toBe('b')
    expect(neighbourSession(groups, 'b', -1)).toBeUndefined()
    expect(neighbourSession(groups, 'f', 1)).toBeUndefined()
    expect(neighbourSession(groups, undefined, 1)?.id).toBe('b')
    expect(neighbourSession([], 'a', 1)).toBeUndefined()
  })
})
