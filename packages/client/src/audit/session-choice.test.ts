import type { Session } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { chosenSession, leadsToSession, sessionChoices } from './session-choice.ts'

const ids = [
  '11111111-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  '22222222-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  '33333333-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  '44444444-bbfd-4b2d-9b5d-ab8dfbbd4bed',
]
const session = (id: string | undefined, title: string) => ({ id, title }) as Session
const choices = sessionChoices([
  session(ids[0], 'Fix the build'),
  session(ids[1], 'Untangle'),
  session(ids[2], 'Untangle'),
  // A title that would be taken for another session.
  session(ids[3], ids[0] ?? ''),
])

describe('sessions to choose by title', () => {
  it('have names of their own', () => {
    expect(choices.map(({ label }) => label)).toEqual([
      'Fix the build',
      'Untangle (22222222)',
      'Untangle (33333333)',
      `${ids[0]} (44444444)`,
    ])
  })

  it('are chosen by their whole name or their id, not by a part', () => {
    expect(chosenSession(' Fix the build ', choices)).toBe(ids[0])
    expect(chosenSession('Untangle (33333333)', choices)).toBe(ids[2])
    expect(chosenSession('Fix', choices)).toBeUndefined()
    expect(chosenSession('Untangle', choices)).toBeUndefined()
    expect(chosenSession(ids[0]?.toUpperCase() ?? '', choices)).toBe(ids[0])
    // A session that was deleted is in the log for ever.
    const gone = '55555555-bbfd-4b2d-9b5d-ab8dfbbd4bed'
    expect(chosenSession(gone, choices)).toBe(gone)
  })

  it('are looked for while one types', () => {
    expect(leadsToSession('fix', choices)).toBe(true)
    expect(leadsToSession('2222', choices)).toBe(true)
    expect(leadsToSession('deploy', choices)).toBe(false)
  })
})
