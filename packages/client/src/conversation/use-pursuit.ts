/**
 * Brings a box to where somebody asked for, and makes sure that it gets there: rows are measured as they are drawn, each measurement moves the
 * others, and the last movement can end short of its target without another event.
 */
import { useCallback, useEffect, useRef } from 'react'

interface Target {
  arrived: () => boolean
  move: () => void
}

interface Pursuit {
  /** In place of the one before. */
  start: (box: HTMLElement, target: Target) => void
  /** Neither there yet, nor given up: the reader wanted something else, or it took too long. */
  isUnderway: () => boolean
}

const stepMs = 100
/** There, and nothing moved it away again for so many steps. */
const restSteps = 3
const mostSteps = 50
const readerInput = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

export function usePursuit(): Pursuit {
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])
  const start = useCallback((box: HTMLElement, target: Target) => {
    end.current?.()
    end.current = pursue(box, target, () => {
      end.current = undefined
    })
  }, [])
  const isUnderway = useCallback(() => end.current !== undefined, [])
  return { start, isUnderway }
}

/** Moves at once, and again until it has arrived. Gives what ends it early. */
function pursue(box: HTMLElement, { arrived, move }: Target, ended: () => void): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const end = () => {
    if (listening.signal.aborted) return
    clearTimeout(timer)
    listening.abort()
    ended()
  }
  const step = (steps: number, rested: number) => {
    timer = setTimeout(() => {
      const isThere = arrived()
      if (!isThere) move()
      const resting = isThere ? rested + 1 : 0
      if (resting >= restSteps || steps >= mostSteps) end()
      else step(steps + 1, resting)
    }, stepMs)
  }
  for (const name of readerInput) box.addEventListener(name, end, { passive: true, signal: listening.signal })
  move()
  step(1, 0)
  return end
}
