import { type RefObject, useEffect, useState } from 'react'
import { type ArmingState, createArmingWatch, lookMs, type Place } from './arming.ts'

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
