import type { Token } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, errorText } from '../api.ts'
import { checkAuth } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { useOwn } from './use-own.ts'
import { tokensKey } from './use-tokens.ts'

export function RenameDevice({ token, onClose }: { token: Token; onClose: () => void }) {
  const t = text.devices
  const queries = useQueryClient()
  const own = useOwn().token
  const [name, setName] = useState(token.name)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const form = useId()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setFault(t.tokenNameFault)
    setBusy(true)
    try {
      await api.renameToken({ params: { id: token.id }, body: { name: name.trim() } })
      await Promise.all([
        queries.invalidateQueries({ queryKey: tokensKey }),
        // The page says its own name elsewhere too.
        own?.id === token.id && checkAuth(),
      ])
      onClose()
    } catch (error) {
      setFault(errorText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.renameTitle(withVisibleControls(token.name))}
      description={t.renameLead}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {text.ui.save}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void save(event)} className="pb-2">
        <Field label={t.tokenName} fault={fault}>
          {(ids) => (
            <Input
              {...ids}
              dir="auto"
              maxLength={100}
              autoComplete="off"
              value={name}
              onChange={({ target }) => {
                setName(target.value)
                setFault(undefined)
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
