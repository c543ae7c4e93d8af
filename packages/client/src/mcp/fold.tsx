import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '../ui/class-names.ts'

interface FoldProps {
  label: ReactNode
  children: ReactNode
  open?: boolean
  className?: string
}

/** Something that is there for those who want it. Its content is made when it is opened. */
export function Fold({ label, children, open: openAtFirst = false, className }: FoldProps) {
  const [open, setOpen] = useState(openAtFirst)
  return (
    <div className={cx('min-w-0', className)}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-mx-1 flex min-h-8 max-w-full items-center gap-1 rounded-md px-1 text-left text-sm text-soft hover:bg-hover hover:text-text max-sm:min-h-10"
      >
        <ChevronRight
          aria-hidden
          size={15}
          className={cx('shrink-0 motion-safe:transition-transform', open && 'rotate-90')}
        />
        <span className="min-w-0">{label}</span>
      </button>
      {open && <div className="pt-1">{children}</div>}
    </div>
  )
}
