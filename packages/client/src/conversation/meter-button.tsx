import type { ComponentProps } from 'react'
import { cx } from '../ui/class-names.ts'

/** Instead of one another: of two colours of text, the style sheet's order would decide. */
const tones = {
  plain: 'text-soft hover:text-text',
  warn: 'font-medium text-warn',
  danger: 'font-medium text-danger',
}

/** A figure in the header that says more when pressed. */
export function MeterButton({
  tone = 'plain',
  ...props
}: ComponentProps<'button'> & { tone?: keyof typeof tones }) {
  return (
    <button
      type="button"
      {...props}
      className={cx(
        'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs tabular-nums transition-colors hover:bg-hover max-sm:min-h-10',
        tones[tone],
      )}
    />
  )
}
