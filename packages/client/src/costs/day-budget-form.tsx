import { type FormEvent, useState } from 'react'
import { api, errorText } from '../api.ts'
import { queryClient } from '../queries/query-client.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'

/** The typed limit in dollars; undefined for what is none. */
export function readLimit(typed: string): number | undefined {
  const value = typed.trim().replace(',', '.')
  const limit = value === '' ? Number.NaN : Number(value)
  return limit >= 0 && limit <= 100_000 ? limit : undefined
}

/** Changes what all sessions together may cost on one day. */
export function DayBudgetForm({ limit, onDone }: { limit: number; onDone: () => void }) {
  const t = text.costs
  const [typed, setTyped] = useState(String(limit))
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const value = readLimit(typed)
    if (value === undefined) return setFault(t.dayLimitFault)
    setBusy(true)
    setFault(undefined)
    try {
      const view = await api.changeConfig({ body: { set: { 'budgets.dayUsd': value } } })
      queryClient.setQueryData(['config'], view)
      void queryClient.invalidateQueries({ queryKey: ['budgets'] })
      toast.ok(t.budgetSaved)
      onDone()
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-wrap items-start gap-2">
      <Field label={t.dayLimit} hint={t.dayLimitHint} fault={fault}>
        {(ids) => (
          <div className="flex gap-2">
            <Input
              {...ids}
              autoFocus
              inputMode="decimal"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              className="w-32"
            />
            <Button type="submit" variant="primary" busy={busy}>
              {text.ui.save}
            </Button>
            <Button onClick={onDone}>{text.ui.cancel}</Button>
          </div>
        )}
      </Field>
    </form>
  )
}
