import { useEffect, useRef } from 'react'

const patienceMs = 3000

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
    const focusHeading = () => {
      if (main.contains(document.activeElement) && document.activeElement !== main) return stop()
      const heading = main.querySelector<HTMLElement>('h1')
      if (!heading) return
      stop()
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
