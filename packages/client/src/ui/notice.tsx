import { Ban, CircleAlert, CircleCheck, Hand, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

/** What a colour means; README.md of the package has the table. */
export type Tone = 'neutral' | 'ok' | 'running' | 'warn' | 'danger' | 'attention' | 'denied'

export const toneClasses: Record<Tone, string> = {
  neutral: 'bg-raised text-soft',
  ok: 'bg-ok-ground text-ok',
  running: 'bg-running-ground text-running',
  warn: 'bg-warn-ground text-warn',
  danger: 'bg-danger-ground text-danger',
  attention: 'bg-attention-ground text-attention',
  denied: 'bg-denied-ground text-denied',
}

const icons = {
  neutral: Info,
  ok: CircleCheck,
  running: Info,
  warn: TriangleAlert,
  danger: CircleAlert,
  attention: Hand,
  denied: Ban,
}

/** A sentence that must not be overlooked, in its place. */
export function Notice({
  tone = 'neutral',
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
