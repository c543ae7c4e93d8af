import type { MouseEvent } from 'react'
import { text } from '../text/card-text.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { toast } from '../ui/toast.tsx'
import type { Arming } from './arming.ts'

interface AllowButtonProps extends ButtonProps {
  arming: Arming
  /** Why there is nothing to let happen yet; undefined: there is. */
  reason?: string | undefined
}

/** A button that lets something happen: it takes only a press that was meant for it, and says so when it does not take one yet. */
export function AllowButton({ arming, reason, onClick, title, className, ...props }: AllowButtonProps) {
  return (
    <Button
      {...props}
      title={reason ?? title}
      className={cx(className, reason !== undefined && 'opacity-55')}
      data-allows
      // Not `disabled`, which would take the focus away.
      aria-disabled={arming.state !== 'armed' || reason !== undefined || undefined}
      onClick={(event) => {
        if (reason !== undefined) {
          event.preventDefault()
          toast.info(reason)
        } else if (isMeant(event, arming)) onClick?.(event)
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
