import { Button, type ButtonProps } from './button.tsx'
import { cx } from './class-names.ts'
import { toast } from './toast.tsx'

interface ReasonButtonProps extends ButtonProps {
  /** Why it cannot be pressed now; undefined: it can. */
  reason: string | undefined
}

/** A button that never greys without a reason: who points at it sees why, and who presses it, by finger or key, is told. */
export function ReasonButton({ reason, onClick, title, className, ...props }: ReasonButtonProps) {
  return (
    <Button
      {...props}
      title={reason ?? title}
      // Not `disabled`: nobody could come to it to learn why.
      aria-disabled={reason !== undefined || undefined}
      className={cx(className, reason !== undefined && 'opacity-55')}
      onClick={(event) => {
        if (reason === undefined) onClick?.(event)
        else toast.info(reason)
      }}
    />
  )
}
