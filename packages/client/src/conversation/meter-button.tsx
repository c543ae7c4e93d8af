import type { ComponentProps } from 'react'
import { cx } from '../ui/class-names.ts'

/** A figure in the header that says more when pressed. */
export function MeterButton({ className, ...props }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...props}
      className={cx(
        'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs text-soft tabular-nums transition-colors hover:bg-hover hover:text-text max-sm:min-h-10',
        className,
      )}
    />
  )
}
