import type { McpServer } from '@dorkos/shared'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../api.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast.tsx'
import { EntryFields } from './entry-fields.tsx'
import { draftOfEntry, isMasked, readEntry } from './entry-form.ts'
import { focusFault } from './focus-fault.ts'
import { useSaving } from './use-saving.ts'

/** Replaces the entry of a server of DorkOS's own configuration. */
export function EditDialog({ server, onClose }: { server: McpServer; onClose: () => void }) {
  // As it was when the window opened: news of the server must not overwrite what somebody types.
  const [draft, setDraft] = useState(() => draftOfEntry(server.name, server.entry))
  const [hasMasked] = useState(() => isMasked(JSON.stringify(server.entry)))
  const [tried, setTried] = useState(false)
  const { busy, fault, clear, save } = useSaving()
  const form = useId()
  const words = text.mcp.edit
  const { entry, faults } = readEntry(draft, { isChange: true })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!entry) return focusFault(event.currentTarget)
    const changed = await save(() => api.changeMcpServer({ params: { name: server.name }, body: { entry } }))
    if (!changed) return
    toast.ok(words.saved(withVisibleControls(server.name)))
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(withVisibleControls(server.name))}
      size="lg"
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {text.ui.save}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onChange={clear}
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-4 pb-2"
      >
        {hasMasked && <Notice tone="neutral">{words.masked}</Notice>}
        <EntryFields draft={draft} onChange={setDraft} faults={tried ? faults : {}} named />
        {fault && <Notice tone="danger">{fault}</Notice>}
      </form>
    </Dialog>
  )
}
