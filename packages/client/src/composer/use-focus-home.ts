import { type RefObject, useLayoutEffect } from 'react'
import { isTouch } from './send-keys.ts'

/** Whoever was in a part that goes away, or in a window that it opened, goes on where one writes. */
export function useFocusHome(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      const isInside = element?.contains(document.activeElement) || element?.querySelector('dialog[open]')
      // Nothing behind an open window takes the focus: it is closed first.
      if (isInside) queueMicrotask(focusHome)
    }
  }, [part])
}

/** Focus that is nowhere goes to where one writes. Not where it would open a keyboard over the page. */
export function focusHome(): void {
  const isNowhere = document.activeElement === null || document.activeElement === document.body
  if (!isNowhere || isTouch()) return
  document.querySelector<HTMLElement>('[data-message-editor]:not(:disabled)')?.focus({ preventScroll: true })
}
