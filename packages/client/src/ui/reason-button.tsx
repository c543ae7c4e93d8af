import { useId } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { cx } from './class-names.ts'
import { toast } from './toast.tsx'

interface ReasonButtonProps extends ButtonProps {
  /** Why it cannot be pressed now; undefined: it can. */
  reason: string | undefined
  /** The reason stands before it: where there is room, and in a window, which is above what a press would show. */
  shows?: boolean
}

/** A button that never greys without a reason: who points at it sees why, and who presses it, by finger or key, is told. */
export function ReasonButton({
  reason,
  shows = false,
  onClick,
  title,
  className,
  ...props
}: ReasonButtonProps) {
  const id = useId()
  const isShown = shows && reason !== undefined
  return (
    <>
      {isShown && (
        <span id={id} className="min-w-0 self-center text-xs text-soft">
          {reason}
        </span>
      )}
      <Button
        {...props}
        title={reason ?? title}
        // Not `disabled`: nobody could come to it to learn why.
        aria-disabled={reason !== undefined || undefined}
        {...(isShown && { 'aria-describedby': id })}
        className={cx(className, reason !== undefined && 'opacity-55')}
        onClick={(event) => {
          if (reason === undefined) return onClick?.(event)
          // A form is not sent.
          event.preventDefault()
          if (!shows) toast.info(reason)
        }}
      />
    </>
  )
}
