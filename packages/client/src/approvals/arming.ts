/**
 * When an answer that allows may count. A card that comes up or moves under a finger must not take a press that was meant for
 * another one, so it has to have been there, whole, for as long as it takes to see that. The watch is pure; `useArming` looks for it.
 */
import { type RefObject, useEffect, useState } from 'react'

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
type ArmingState = 'new' | 'ready' | 'armed'

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

export interface Arming {
  state: ArmingState
  /** Whether a press of a pointer at this moment counts. */
  allowsNow: () => boolean
}

/** Watches the buttons in `part` that allow. What is still being loaded in it holds them back. */
export function useArming(part: RefObject<HTMLElement | null>): Arming {
  const [watch] = useState(createArmingWatch)
  const [state, setState] = useState<ArmingState>('new')
  useEffect(() => {
    const look = () => {
      const element = part.current
      if (element) setState(watch.look(isDrawn(element), placeOf(element)))
    }
    look()
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [part, watch])
  return { state, allowsNow: () => part.current !== null && watch.allows(placeOf(part.current)) }
}

function isDrawn(part: HTMLElement): boolean {
  return part.querySelector('figure[aria-busy="true"]') === null
}

function placeOf(part: HTMLElement): Place {
  const points = [...part.querySelectorAll('[data-allows]')].map((button) => {
    const { left, top } = button.getBoundingClientRect()
    return [left, top] as const
  })
  let scrolled = 0
  let height = 0
  for (let around = part.parentElement; around; around = around.parentElement) {
    // What does not scroll may well grow: a list of which only a part is in the document does, when it is scrolled.
    if (around.scrollHeight <= around.clientHeight) continue
    scrolled += around.scrollTop
    height += around.scrollHeight
  }
  return { points, scrolled, height }
}
