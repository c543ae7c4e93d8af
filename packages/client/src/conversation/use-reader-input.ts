import { type RefObject, useCallback, useEffect, useRef } from 'react'

/** A fling goes on for a while after the finger is gone. */
const intentMs = 1500
const never = Number.NEGATIVE_INFINITY
const upKeys = new Set(['ArrowUp', 'PageUp', 'Home'])
const scrollKeys = new Set([...upKeys, 'ArrowDown', 'PageDown', 'End', ' '])

/**
 * Whether the reader is moving the box right now: by wheel, finger, keys or its bar. `onUp` is called as soon as it is clear
 * that they go up, before the box has moved.
 */
export function useReaderInput(scroller: RefObject<HTMLElement | null>, onUp: () => void): ReaderActivity {
  const input = useRef({ at: never, pressedAt: never, held: false, y: 0 })
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const stop = listen(box, input.current, () => {
      if (box.scrollHeight > box.clientHeight + 1) onUp()
    })
    return () => stop.abort()
  }, [scroller, onUp])
  const isActive = useCallback(
    () => input.current.held || performance.now() - input.current.at < intentMs,
    [],
  )
  const isPressing = useCallback(() => performance.now() - input.current.pressedAt < intentMs, [])
  const forget = useCallback(() => {
    input.current.at = never
  }, [])
  return { isActive, isPressing, forget }
}

interface ReaderActivity {
  isActive: () => boolean
  /** They pressed a control in the box a moment ago, by pointer or key. */
  isPressing: () => boolean
  /** The reader wants something else now: what they did before moves the box no more. */
  forget: () => void
}

interface ReaderInput {
  at: number
  pressedAt: number
  held: boolean
  /** Where the finger was. */
  y: number
}

function listen(box: HTMLElement, input: ReaderInput, onUp: () => void): AbortController {
  const stop = new AbortController()
  const options = { passive: true, signal: stop.signal }
  const touch = () => {
    input.at = performance.now()
  }
  const press = () => {
    input.pressedAt = performance.now()
  }
  const hold = (held: boolean) => {
    touch()
    input.held = held
  }
  const goesUp = (target: EventTarget | null, isUp: boolean) => {
    touch()
    if (isUp && !scrollsInside(target, box)) onUp()
  }
  box.addEventListener('wheel', (event) => goesUp(event.target, event.deltaY < 0), options)
  box.addEventListener(
    'keydown',
    ({ target, key }) => {
      // Other keys do something, such as answer a card; what that moves is not the reader's doing.
      if (scrollKeys.has(key)) goesUp(target, target === box && upKeys.has(key))
      // Tab takes the focus elsewhere, and the box with it.
      if (target !== box && key !== 'Tab') press()
    },
    options,
  )
  const fingerAt = (event: TouchEvent) => event.touches[0]?.clientY ?? 0
  box.addEventListener(
    'touchstart',
    (event) => {
      input.y = fingerAt(event)
    },
    options,
  )
  box.addEventListener('touchmove', (event) => goesUp(event.target, fingerAt(event) > input.y + 6), options)
  box.addEventListener('pointerdown', ({ target }) => (isControl(target) ? press() : hold(true)), options)
  for (const name of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(name, () => input.held && hold(false), options)
  // Some browsers say nothing when the bar is let go; then the next move does.
  window.addEventListener('pointermove', ({ buttons }) => input.held && buttons === 0 && hold(false), options)
  return stop
}

/** Who presses a button does not scroll by it. */
function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('button, a, input, textarea, select, summary, label') !== null
  )
}

/** Something inside the box, such as a long output, takes the movement itself. */
function scrollsInside(target: EventTarget | null, box: HTMLElement): boolean {
  for (
    let element = target instanceof Element ? target : null;
    element && element !== box;
    element = element.parentElement
  ) {
    if (element.scrollTop > 0) return true
  }
  return false
}
