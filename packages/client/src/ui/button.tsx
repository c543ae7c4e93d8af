import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './class-names.ts'
import { Spinner } from './spinner.tsx'
import { Tooltip } from './tooltip.tsx'

type ButtonVariant = 'primary' | 'plain' | 'ghost' | 'danger'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-ink text-on-ink border-transparent hover:bg-ink-hover',
  plain: 'bg-card text-text border-line-strong hover:bg-hover',
  ghost: 'bg-transparent text-soft border-transparent hover:bg-hover hover:text-text',
  danger: 'bg-danger-fill text-white border-transparent hover:brightness-110',
}

const sizes = {
  sm: 'min-h-8 max-sm:min-h-10 px-2.5 text-sm gap-1.5',
  md: 'min-h-9 max-sm:min-h-11 px-3.5 text-sm gap-2',
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: keyof typeof sizes
  icon?: LucideIcon
  /** On a phone only its icon is seen. */
  iconOnPhone?: boolean
  /** Shows that its work goes on; it cannot be pressed meanwhile. */
  busy?: boolean
}

const frame =
  'inline-flex items-center justify-center rounded-md border font-medium whitespace-nowrap select-none transition-colors'

/** A link that leads on as a button would. */
export function linkLook(variant: ButtonVariant, size: keyof typeof sizes): string {
  return cx(frame, 'max-w-full', variants[variant], sizes[size])
}

export function Button({
  variant = 'plain',
  size = 'md',
  icon: Icon,
  busy,
  iconOnPhone,
  ...props
}: ButtonProps) {
  const { children, className, disabled, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(
        frame,
        'disabled:opacity-55 disabled:cursor-not-allowed',
        variants[variant],
        sizes[size],
        iconOnPhone && 'max-sm:min-w-11 max-sm:px-0',
        className,
      )}
    >
      {busy ? <Spinner /> : Icon && <Icon aria-hidden size={16} className="shrink-0" />}
      {iconOnPhone ? <span className="max-sm:sr-only">{children}</span> : children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Said by screen readers and shown in a tooltip. */
  label: string
  icon: LucideIcon
  /** Keys that do the same, for the tooltip. */
  keys?: string
  active?: boolean
  iconSize?: number
}

export function IconButton({
  label,
  icon: Icon,
  keys,
  active,
  iconSize = 18,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(
          'inline-flex size-8 max-sm:size-10 shrink-0 items-center justify-center rounded-md text-soft transition-colors',
          'hover:bg-hover hover:text-text disabled:opacity-50 disabled:cursor-not-allowed',
          active && 'bg-hover text-text',
          className,
        )}
      >
        <Icon aria-hidden size={iconSize} />
      </button>
    </Tooltip>
  )
}
