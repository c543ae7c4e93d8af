/** What must hold of a session at rest: its events and its stored turns agree. */
import type { StreamEvent, Turn } from '@dorkos/shared'
import { expect } from 'vitest'

export function checkPublished(events: readonly StreamEvent[], turns: readonly Turn[]): void {
  const open = new Set<string>()
  const over = new Map<string, string>()
  const published = new Set<string>()
  const stored = new Map(turns.map((turn) => [turn.id, turn]))
  for (const event of events) {
    if (event.type === 'turn_start') {
      expect([...open], 'one turn at a time').toEqual([])
      expect(over.has(event.turn_id), 'a turn begins once').toBe(false)
      open.add(event.turn_id)
    }
    // Others are the CLI's own.
    if (event.type === 'user_message' && event.turn_id !== undefined) {
      const { id, joined_turn } = stored.get(event.message_id) ?? {}
      expect(event.turn_id, 'a message is published in its own turn').toBe(joined_turn ?? id)
      expect([...open], 'a message is published while its turn runs').toEqual([event.turn_id])
      expect(published.has(event.message_id), 'a message is published once').toBe(false)
      published.add(event.message_id)
    }
    if (event.type === 'turn_end') {
      expect(open.delete(event.turn_id) || event.outcome === 'withdrawn', 'what ends has begun').toBe(true)
      expect(over.has(event.turn_id), 'a turn ends once').toBe(false)
      over.set(event.turn_id, event.outcome)
    }
  }
  expect([...open], 'every turn ends').toEqual([])
  for (const turn of turns) {
    expect(turn.state, `the turn ${turn.id}`).toBe('ended')
    if (turn.outcome === 'joined') {
      const into = turns.find(({ id }) => id === turn.joined_turn)
      expect(into?.outcome, 'what it joined is a turn that ended').toEqual(expect.any(String))
      expect(into?.outcome).not.toBe('joined')
    } else if (turn.outcome !== 'withdrawn')
      expect(over.get(turn.id), `the published end of ${turn.id}`).toBe(turn.outcome)
    const isMessage = turn.cause !== 'background' && turn.outcome !== 'withdrawn'
    expect(published.has(turn.id), `${turn.id} (${turn.outcome}) has a published message`).toBe(isMessage)
  }
}
