import { useEffect, useRef } from 'react'

/** A slow network brings a page late; whoever has gone on meanwhile is not called back. */
const patienceMs = 10_000

/**
 * After going to another page, focus goes to its heading, so that a screen reader says where one is and Tab goes on from there.
 * Not where the page took focus itself, as the composer does. Pages that load late have their heading late.
 */
export function useHeadingFocus(path: string): void {
  const first = useRef(path)
  useEffect(() => {
    if (first.current === path) return
    first.current = ''
    const main = document.getElementById('page')
    if (!main) return
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
    }
    let given: HTMLElement | undefined
    const focusHeading = () => {
      const { activeElement } = document
      const isNowhere = activeElement === null || activeElement === document.body || activeElement === main
      if (given ? !isNowhere && activeElement !== given : !isNowhere && main.contains(activeElement))
        return stop()
      const heading = main.querySelector<HTMLElement>('h1')
      if (!heading || heading === activeElement) return
      // It may be the one of the page that is left, which stays until the next is there: the next has its turn then.
      given = heading
      heading.tabIndex = -1
      heading.style.outline = 'none'
      heading.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(focusHeading)
    const timer = setTimeout(stop, patienceMs)
    // Whoever touches anything meanwhile has gone on already.
    addEventListener('pointerdown', stop, { once: true })
    addEventListener('keydown', stop, { once: true })
    observer.observe(main, { childList: true, subtree: true })
    focusHeading()
    return () => {
      stop()
      removeEventListener('pointerdown', stop)
      removeEventListener('keydown', stop)
    }
  }, [path])
}
