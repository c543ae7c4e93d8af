import type { LucideIcon } from 'lucide-react'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'

interface PickerButtonProps extends ComponentProps<'button'> {
  icon: LucideIcon
  /** What is chosen. */
  value: string
  /** What is chosen with it. */
  name: string
  tone?: 'plain' | 'plan' | 'danger'
}

const tones = {
  plain: 'text-soft hover:bg-hover hover:text-text',
  plan: 'bg-hover font-medium text-text',
  danger: 'bg-danger-fill text-white',
}

/** A small button that shows a choice and opens the others. */
export function PickerButton({ icon: Icon, value, name, tone = 'plain', ...rest }: PickerButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={text.composer.picked(name, value)}
      title={text.composer.picked(name, value)}
      className={cx(
        'inline-flex min-h-7 max-sm:min-h-10 min-w-0 items-center gap-1 rounded-md px-2 max-sm:px-1.5 text-xs font-medium',
        tones[tone],
      )}
    >
      <Icon aria-hidden size={14} className="shrink-0" />
      <span className="truncate">{value}</span>
      <ChevronDown aria-hidden size={12} className="shrink-0 opacity-70" />
    </button>
  )
}
