import type { MouseEvent } from 'react'
import { text } from '../text/card-text.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import type { Arming } from './arming.ts'

/** A button that lets something happen: it takes only a press that was meant for it, and says so when it does not take one yet. */
export function AllowButton({ arming, onClick, ...props }: ButtonProps & { arming: Arming }) {
  return (
    <Button
      {...props}
      data-allows
      // Not `disabled`, which would take the focus away.
      aria-disabled={arming.state !== 'armed' || undefined}
      onClick={(event) => {
        if (isMeant(event, arming)) onClick?.(event)
        else {
          event.preventDefault()
          // The second press of a double one is no try of its own.
          if (event.detail <= 1) toast.info(text.approvals.card.tooSoon)
        }
      }}
    />
  )
}

/** Keys have no place to miss. The second press of a double one was meant for what was there before. */
function isMeant({ detail }: MouseEvent, { state, allowsNow }: Arming): boolean {
  if (detail === 0) return state !== 'new'
  return detail === 1 && allowsNow()
}
