/** Where a box stood when it scrolled. */
export interface ScrollMark {
  top: number
  height: number
  /** What of it is in sight. */
  room: number
}

/**
 * Whether the reader went up. Content that gets shorter and longer again moves a box up too; so where its size changed,
 * only a reader who touches it counts. Where it did not, somebody moved it: also a search of the browser's, or a jump of focus.
 */
export function movedUp(before: ScrollMark, after: ScrollMark, isActive: boolean): boolean {
  if (after.top >= before.top - 1) return false
  return isActive || (before.height === after.height && before.room === after.room)
}
