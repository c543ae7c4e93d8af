/**
 * When an answer that allows may count. A card that comes up or moves under a finger must not take a press that was meant for
 * another one, so it has to have been there, whole, for as long as it takes to see that. Pure.
 */

/** How long a card must have been in its place. */
export const armingMs = 700
/** How often is looked. */
export const lookMs = 100
const looksNeeded = armingMs / lookMs
/** Moves below this many pixels bring no other button under a finger. */
const slack = 4

/** Where the buttons that allow are. */
export interface Place {
  /** Their corners, as they are seen. */
  points: readonly (readonly [x: number, y: number])[]
  /** How far what is around them is scrolled, and how high that is. */
  scrolled: number
  height: number
}

/** `ready`: it was there long enough, so that keys may allow, which go to one card. `armed`: nor did it move, so a pointer may. */
export type ArmingState = 'new' | 'ready' | 'armed'

export interface ArmingWatch {
  /** To be called every `lookMs`. */
  look(drawn: boolean, place: Place): ArmingState
  /** Whether a press at this moment counts. */
  allows(place: Place): boolean
}

export function createArmingWatch(): ArmingWatch {
  let shown = 0
  let steady = 0
  let from: Place | undefined
  const state = (): ArmingState => (shown <= looksNeeded ? 'new' : steady <= looksNeeded ? 'ready' : 'armed')
  return {
    look(drawn, place) {
      if (!drawn) shown = 0
      else shown += 1
      if (!drawn || !from || isMoved(from, place)) {
        steady = 0
        from = place
      } else from = place.scrolled === from.scrolled ? { ...place, points: from.points } : place
      steady += 1
      return state()
    },
    allows: (place) => state() === 'armed' && from !== undefined && !isMoved(from, place),
  }
}

/** Not by scrolling alone, which people do who look; but by a scroll that follows what has grown. */
function isMoved(from: Place, now: Place): boolean {
  if (from.points.length !== now.points.length) return true
  const shift = (by: number) =>
    now.points.some(([x, y], index) => {
      const [fromX = 0, fromY = 0] = from.points[index] ?? []
      return Math.abs(x - fromX) > slack || Math.abs(y + by - fromY) > slack
    })
  return shift(0) && (from.height !== now.height || shift(now.scrolled - from.scrolled))
}
