import type { Turn } from '@dorkos/shared'

/** The message that the one at `place` goes before when it moves by one; null when it goes to the end. */
export function placeAfter(queue: readonly Turn[], place: number, by: -1 | 1): string | null {
  return queue[by === -1 ? place - 1 : place + 2]?.id ?? null
}
