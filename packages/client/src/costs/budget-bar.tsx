import type { Budget } from '@dorkos/shared'
import type { ReactNode } from 'react'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import { formatUsd } from '../ui/format.ts'

const fills = { ok: 'bg-ok', warning: 'bg-warn', reached: 'bg-danger' }
const tones = { warning: 'warn', reached: 'danger' } as const

interface BudgetBarProps {
  budget: Budget
  /** Whose it is. */
  name: ReactNode
  action?: ReactNode
}

/** How much of a budget is used: in words, and as a bar. */
export function BudgetBar({ budget, name, action }: BudgetBarProps) {
  const { used_usd, limit_usd, state } = budget
  const part = limit_usd > 0 ? Math.min(1, Math.max(0, used_usd / limit_usd)) : 0
  const words = text.costs.usedOf(formatUsd(used_usd), formatUsd(limit_usd))
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <div className="min-w-0 flex-1 basis-40 truncate">{name}</div>
        <span className="tabular-nums text-soft">{words}</span>
        {state !== 'ok' && <Badge tone={tones[state]}>{text.costs.budgetStates[state]}</Badge>}
        {action}
      </div>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
        <div className={cx('h-full rounded-full', fills[state])} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  )
}
