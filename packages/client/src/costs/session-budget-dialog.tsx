import { type FormEvent, useId, useState } from 'react'
import { api, errorText } from '../api.ts'
import { queryClient } from '../queries/query-client.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { formatUsd } from '../ui/format.ts'
import { toast } from '../ui/toast.tsx'
import { readLimit } from './day-budget-form.tsx'
import type { SessionBudgetProps } from './session-budget-button.tsx'

/** Raises, lowers or takes away what one session may cost. */
export function SessionBudgetDialog({
  id,
  limit,
  used,
  onClose,
}: SessionBudgetProps & { onClose: () => void }) {
  const t = text.costs
  const form = useId()
  const [typed, setTyped] = useState(limit === undefined || limit === 0 ? '' : String(limit))
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const change = async (budget: number | null) => {
    setBusy(true)
    setFault(undefined)
    try {
      await api.changeSession({ params: { id }, body: { budget_usd: budget } })
      void queryClient.invalidateQueries({ queryKey: ['budgets'] })
      toast.ok(t.budgetSaved)
      onClose()
    } catch (error) {
      setFault(errorText(error))
      setBusy(false)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const budget = typed.trim() === '' ? null : readLimit(typed)
    if (budget === undefined) setFault(t.dayLimitFault)
    else void change(budget)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.sessionBudget}
      description={used === undefined ? undefined : t.usedSoFar(formatUsd(used))}
      size="sm"
      actions={
        <>
          <Button disabled={busy} onClick={() => void change(0)} className="mr-auto">
            {t.noLimit}
          </Button>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            {text.ui.save}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={save} className="pb-2">
        <Field label={t.sessionLimit} hint={t.sessionLimitHint} fault={fault}>
          {(ids) => (
            <Input
              {...ids}
              inputMode="decimal"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
