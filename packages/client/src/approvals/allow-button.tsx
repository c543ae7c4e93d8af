import type { MouseEvent } from 'react'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import type { Arming } from './arming.ts'

/** A button that lets something happen: it takes only a press that was meant for it, and shows when it does not take one yet. */
export function AllowButton({ arming, onClick, className, ...props }: ButtonProps & { arming: Arming }) {
  return (
    <Button
      {...props}
      data-allows
      // Not `disabled`, which would take the focus away.
      aria-disabled={arming.state !== 'armed' || undefined}
      className={cx('aria-disabled:opacity-55', className)}
      onClick={(event) => {
        if (isMeant(event, arming)) onClick?.(event)
        else event.preventDefault()
      }}
    />
  )
}

/** Keys have no place to miss. The second press of a double one was meant for what was there before. */
function isMeant({ detail }: MouseEvent, { state, allowsNow }: Arming): boolean {
  if (detail === 0) return state !== 'new'
  return detail === 1 && allowsNow()
}
