/**
 * When an answer that allows may count. A card that comes up or moves under a finger must not take a press that was meant for
 * another one, so it has to have been there, whole, for as long as it takes to see that. The watch is pure; `useArming` feeds it.
 */
import { type RefObject, useEffect, useState } from 'react'

/** How long a card must have been where it is. */
export const armingMs = 700
/** How often that is checked. */
export const checkMs = 100
const checksNeeded = armingMs / checkMs
/** Moves below this many pixels bring no other button under a finger. */
const slack = 4
/** For so many checks after a press in the card, what moves in it moves by that press. */
const ownChecks = 3

/** Where the buttons that allow are. */
export interface Position {
  /** Their corners, as they are seen. */
  points: readonly (readonly [x: number, y: number])[]
  /** How far what is around them is scrolled, and how high that is. */
  scrolled: number
  height: number
}

/** `ready`: it was there long enough, so that keys may allow, which go to one card. `armed`: nor did it move, so a pointer may. */
type ArmingState = 'new' | 'ready' | 'armed'

export interface ArmingWatch {
  /** To be called every `checkMs`. */
  update(drawn: boolean, position: Position): ArmingState
  /** Somebody pressed something in the card, and knows that it moves. */
  pressed(): void
  /** Whether a press at this moment counts. */
  allows(position: Position): boolean
}

export function createArmingWatch(): ArmingWatch {
  let shown = 0
  let steady = 0
  let own = 0
  let from: Position | undefined
  const state = (): ArmingState =>
    shown <= checksNeeded ? 'new' : steady <= checksNeeded ? 'ready' : 'armed'
  return {
    update(drawn, position) {
      if (!drawn) shown = 0
      else shown += 1
      const isOwn = own > 0
      if (isOwn) own -= 1
      if (!drawn || !from || isMoved(from, position)) {
        if (!drawn || !isOwn) steady = 0
        from = position
      } else from = position.scrolled === from.scrolled ? { ...position, points: from.points } : position
      steady += 1
      return state()
    },
    pressed() {
      own = ownChecks
    },
    allows: (position) => state() === 'armed' && from !== undefined && !isMoved(from, position),
  }
}

/** Not by scrolling alone, which people do who look; but by a scroll that follows what has grown. */
function isMoved(from: Position, now: Position): boolean {
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
    const check = () => {
      const element = part.current
      if (element) setState(watch.update(isDrawn(element), positionOf(element)))
    }
    check()
    const timer = setInterval(check, checkMs)
    const element = part.current
    element?.addEventListener('click', watch.pressed)
    return () => {
      clearInterval(timer)
      element?.removeEventListener('click', watch.pressed)
    }
  }, [part, watch])
  return { state, allowsNow: () => part.current !== null && watch.allows(positionOf(part.current)) }
}

function isDrawn(part: HTMLElement): boolean {
  return part.querySelector('figure[aria-busy="true"]') === null
}

function positionOf(part: HTMLElement): Position {
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
