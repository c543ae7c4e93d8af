import { useEffect } from 'react'

/**
 * Keeps the page as high as what is seen of it. Where the keyboard lies over the page (iOS), `100dvh` still counts what is
 * below it, and the composer would be hidden.
 */
export function useViewportHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const { style } = document.documentElement
    const fit = () => {
      const isZoomed = viewport.scale > 1.01
      const isCovered = window.innerHeight - viewport.height > 80
      if (isZoomed || !isCovered) return style.removeProperty('--viewport-height')
      style.setProperty('--viewport-height', `${Math.round(viewport.height)}px`)
      // iOS moves the whole page up to show the input; with the right height it need not.
      window.scrollTo(0, 0)
    }
    viewport.addEventListener('resize', fit)
    return () => {
      viewport.removeEventListener('resize', fit)
      style.removeProperty('--viewport-height')
    }
  }, [])
}
