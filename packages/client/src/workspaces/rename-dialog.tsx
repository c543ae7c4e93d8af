import type { Workspace } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, errorText } from '../api.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'

export function RenameDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const queries = useQueryClient()
  const [name, setName] = useState(workspace.name)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const form = useId()
  const words = text.workspaces
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    setBusy(true)
    try {
      await api.changeWorkspace({ params: { id: workspace.id }, body: { name: name.trim() } })
      void queries.invalidateQueries({ queryKey: ['workspaces'] })
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
      title={words.renameTitle(withVisibleControls(workspace.name))}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy} disabled={name.trim() === ''}>
            {text.ui.save}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void save(event)} className="pb-2">
        <Field label={words.name} fault={fault}>
          {(ids) => (
            <Input
              {...ids}
              dir="auto"
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
