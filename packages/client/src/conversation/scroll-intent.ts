/** Where a box stood when it scrolled. */
export interface ScrollMark {
  top: number
  height: number
  /** The height that its rows were last measured to have: the list moves the box by a change of it before the box has that height. */
  measured: number
  /** What of it is in sight. */
  room: number
}

/**
 * Whether the reader went up. Content that gets shorter and longer again moves a box up too; so where its size changed,
 * only a reader who scrolls counts. Where it did not, somebody moved it: also a search of the browser's, or a jump of focus. But somebody who
 * presses things in it may have made it shorter and longer again within one frame.
 */
export function movedUp(
  before: ScrollMark,
  after: ScrollMark,
  { scrolls, presses }: { scrolls: boolean; presses: boolean },
): boolean {
  if (after.top >= before.top - 1) return false
  const isAsLarge =
    before.height === after.height && before.measured === after.measured && before.room === after.room
  return scrolls || (isAsLarge && !presses)
}

const airAbove = 12

/**
 * Where a box must stand so that a part of its content is seen from its top. Nothing if it is in sight when the box stands at its
 * end. All in the content's own pixels.
 */
export function hiddenTop(part: { top: number; end: number; room: number }): number | undefined {
  return part.end - part.top > part.room ? Math.max(0, part.top - airAbove) : undefined
}
