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

/** What is filled with a tone: strips. */
export const toneFills: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  ok: 'bg-ok',
  running: 'bg-running',
  warn: 'bg-warn',
  danger: 'bg-danger',
  attention: 'bg-attention-fill',
  denied: 'bg-denied',
}

/** Shapes as well as colours tell states apart. On a square of ten. */
const shapes = {
  disc: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  ring: <circle cx="5" cy="5" r="3" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  arc: <path d="M5 1a4 4 0 1 1-4 4" fill="none" stroke="currentColor" strokeWidth="2" />,
  diamond: <path d="M5 0l5 5-5 5-5-5z" fill="currentColor" />,
  square: <rect x="1.5" y="1.5" width="7" height="7" rx="1" fill="currentColor" />,
  cross: <path d="M1.5 1.5l7 7m0-7l-7 7" stroke="currentColor" strokeWidth="2.2" />,
  bars: <path d="M3 1v8m4-8v8" stroke="currentColor" strokeWidth="2.2" />,
} as const
export type Shape = keyof typeof shapes

export const toneTexts: Record<Tone, string> = {
  neutral: 'text-faint',
  ok: 'text-ok',
  running: 'text-running',
  warn: 'text-warn',
  danger: 'text-danger',
  attention: 'text-attention-fill',
  denied: 'text-denied',
}

interface StateGlyphProps {
  shape: Shape
  tone: Tone
  /** Absent where a word beside it says the same. */
  label?: string | undefined
  moves?: boolean
}

/** A state in one glance, by shape and colour, with its name for those who see neither. */
export function StateGlyph({ shape, tone, label, moves }: StateGlyphProps) {
  return (
    <span
      {...(label === undefined
        ? { 'aria-hidden': true }
        : { role: 'img', 'aria-label': label, title: label })}
      className={cx('inline-flex size-2.5 shrink-0', toneTexts[tone])}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 10 10"
        className={cx('size-full', moves && 'motion-safe:animate-spin')}
      >
        {shapes[shape]}
      </svg>
    </span>
  )
}
