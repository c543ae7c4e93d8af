/**
 * What opens something below it, everywhere on the page: a button that says whether it is open and what it opens, so that Enter and
 * Space work as on any button.
 */
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { cx } from './class-names.ts'

const looks = {
  /** A line of its own. */
  line: '-mx-1 flex min-h-8 max-w-full items-center gap-1 rounded-md px-1 text-sm text-soft hover:bg-hover hover:text-text max-sm:min-h-10',
  /** A line with an icon, of little weight: what it opens is beside the point. */
  quiet:
    '-ml-1.5 flex min-h-7 max-w-full items-center gap-1.5 rounded-md px-1.5 text-sm text-faint transition-colors enabled:hover:bg-hover enabled:hover:text-soft max-sm:min-h-10',
  /** The head of a card or a row, as wide as that is. */
  head: 'flex min-h-9 w-full items-center gap-2 px-3 py-1.5 text-sm transition-colors hover:bg-hover focus-visible:outline-offset-[-3px] max-sm:min-h-11',
  /** A head of several lines. */
  tall: 'flex min-h-11 w-full min-w-0 items-start gap-2 rounded-lg px-2 py-2 text-sm hover:bg-hover focus-visible:outline-offset-[-3px] [&>svg]:mt-1',
  /** Among other words. */
  inline: 'inline-flex max-w-full items-center gap-1 rounded hover:bg-hover max-sm:min-h-10',
}

interface DisclosureProps {
  /** On the line that opens it. */
  label: ReactNode
  /** Before the label; the chevron then stands at the end. */
  icon?: LucideIcon
  /** `quiet` with an icon, else `line`. */
  look?: keyof typeof looks
  /** Who else keeps whether it is open, as `useState` gives it. */
  opened?: readonly [open: boolean, setOpen: (open: boolean) => void]
  startsOpen?: boolean
  /** There is nothing to open. */
  disabled?: boolean
  /** Below the line, open or not. */
  note?: ReactNode
  className?: string
  bodyClassName?: string
  /** Made when it is opened. */
  children: ReactNode
}

export function Disclosure({
  label,
  icon,
  look = icon ? 'quiet' : 'line',
  opened,
  startsOpen = false,
  disabled = false,
  note,
  className,
  bodyClassName = 'pt-1',
  children,
}: DisclosureProps) {
  const own = useState(startsOpen)
  const [open, setOpen] = opened ?? own
  const id = useId()
  return (
    <div className={cx('min-w-0', className)}>
      <DisclosureButton
        icon={icon}
        open={open}
        onToggle={() => setOpen(!open)}
        aria-controls={open ? id : undefined}
        disabled={disabled}
        className={looks[look]}
      >
        {look === 'quiet' ? <span className="min-w-0 truncate">{label}</span> : label}
      </DisclosureButton>
      {note}
      {open && (
        <div id={id} className={bodyClassName}>
          {children}
        </div>
      )}
    </div>
  )
}

interface DisclosureButtonProps extends ComponentProps<'button'> {
  icon?: LucideIcon | undefined
  open: boolean
  onToggle: () => void
}

/** The line alone, where what it opens is not right below it. */
export function DisclosureButton({
  icon: Icon,
  open,
  onToggle,
  className,
  children,
  ...button
}: DisclosureButtonProps) {
  const chevron = (
    <ChevronRight
      aria-hidden
      size={14}
      className={cx('shrink-0 text-faint motion-safe:transition-transform', open && 'rotate-90')}
    />
  )
  return (
    <button
      {...button}
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className={cx('text-left', className)}
    >
      {Icon ? <Icon aria-hidden size={15} className="shrink-0 text-faint" /> : chevron}
      {children}
      {Icon && !(button.disabled && !open) && chevron}
    </button>
  )
}
