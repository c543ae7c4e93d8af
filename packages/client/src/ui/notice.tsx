import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

export type Tone = 'neutral' | 'ok' | 'info' | 'warn' | 'danger' | 'accent' | 'plan'

export const toneClasses: Record<Tone, string> = {
  neutral: 'bg-raised text-soft',
  ok: 'bg-ok-ground text-ok',
  info: 'bg-info-ground text-info',
  warn: 'bg-warn-ground text-warn',
  danger: 'bg-danger-ground text-danger',
  accent: 'bg-accent-ground text-accent',
  plan: 'bg-plan-ground text-plan',
}

const icons = {
  neutral: Info,
  ok: CircleCheck,
  info: Info,
  warn: TriangleAlert,
  danger: CircleAlert,
  accent: Info,
  plan: Info,
}

/** A sentence that must not be overlooked, in its place. */
export function Notice({
  tone = 'info',
  children,
  action,
}: {
  tone?: Tone
  children: ReactNode
  action?: ReactNode
}) {
  const Icon = icons[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex items-start gap-2 rounded-lg px-3 py-2 text-sm', toneClasses[tone])}
    >
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 break-words">{children}</div>
      {action}
    </div>
  )
}
