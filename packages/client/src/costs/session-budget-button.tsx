import { useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { SessionBudgetDialog } from './session-budget-dialog.tsx'

export interface SessionBudgetProps {
  id: string
  /** In dollars, 0 for none; undefined where it is not known. */
  limit: number | undefined
  /** What it has used by now. */
  used?: number | undefined
}

/** Asks for another budget of a session. Only for who may raise one. */
export function SessionBudgetButton(props: SessionBudgetProps) {
  const mayRaise = useCan('approve')
  const [isOpen, setOpen] = useState(false)
  if (!mayRaise) return null
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {text.costs.changeSessionBudget}
      </Button>
      {isOpen && <SessionBudgetDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
