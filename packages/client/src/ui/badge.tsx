import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { type Tone, toneClasses } from './notice.tsx'

export function Badge({
  tone = 'neutral',
  children,
  title,
}: {
  tone?: Tone
  children: ReactNode
  title?: string
}) {
  return (
    <span
      title={title}
      className={cx(
        'inline-flex max-w-full items-center gap-1 truncate rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        toneClasses[tone],
      )}
    >
      {children}
    </span>
  )
}

/** What is filled with a tone: dots, strips. */
export const toneFills: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  ok: 'bg-ok',
  info: 'bg-info',
  warn: 'bg-warn',
  danger: 'bg-danger',
  accent: 'bg-accent-fill',
  plan: 'bg-plan',
}

/** A state in one glance, with its name for those who do not see colours. */
export function Dot({ tone, label, pulse }: { tone: Tone; label: string; pulse?: boolean }) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={cx(
        'inline-block size-2 shrink-0 rounded-full',
        toneFills[tone],
        pulse && 'motion-safe:animate-pulse',
      )}
    />
  )
}
