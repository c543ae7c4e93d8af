import { type RefObject, useLayoutEffect } from 'react'

const maxPart = 0.4

/** A text box as tall as its text, up to a part of what can be seen of the page (less with a keyboard on the screen). */
export function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => grow(box.current), [box, text])
  useLayoutEffect(() => {
    const viewport = window.visualViewport
    const again = () => grow(box.current)
    viewport?.addEventListener('resize', again)
    window.addEventListener('resize', again)
    return () => {
      viewport?.removeEventListener('resize', again)
      window.removeEventListener('resize', again)
    }
  }, [box])
}

function grow(box: HTMLTextAreaElement | null): void {
  if (!box) return
  const limit = (window.visualViewport?.height ?? window.innerHeight) * maxPart
  box.style.height = 'auto'
  // A placeholder that needs more than a line must not leave an empty box higher than it was.
  if (box.value === '') {
    box.style.overflowY = 'hidden'
    return
  }
  box.style.height = `${Math.min(box.scrollHeight, limit)}px`
  box.style.overflowY = box.scrollHeight > limit ? 'auto' : 'hidden'
}
