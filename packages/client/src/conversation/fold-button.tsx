import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../ui/class-names.ts'

interface FoldButtonProps {
  icon: LucideIcon
  label: ReactNode
  open: boolean
  disabled?: boolean
  onToggle: () => void
}

/** A quiet line that opens what is below it. */
export function FoldButton({ icon: Icon, label, open, disabled, onToggle }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      disabled={disabled}
      onClick={onToggle}
      className="-ml-1.5 flex min-h-7 max-w-full items-center gap-1.5 rounded-md px-1.5 text-left text-sm text-faint transition-colors enabled:hover:bg-hover enabled:hover:text-soft max-sm:min-h-10"
    >
      <Icon aria-hidden size={15} className="shrink-0" />
      <span className="min-w-0 truncate">{label}</span>
      {!disabled && (
        <ChevronRight
          aria-hidden
          size={14}
          className={cx('shrink-0 transition-transform', open && 'rotate-90')}
        />
      )}
    </button>
  )
}
