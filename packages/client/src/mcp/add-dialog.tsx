import { type FormEvent, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { api } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type Added, AddedReport } from './added-report.tsx'
import { EntryFields } from './entry-fields.tsx'
import { emptyDraft, readEntry } from './entry-form.ts'
import { focusFault } from './focus-fault.ts'
import { ImportPanel } from './import-panel.tsx'
import { type AddPanelProps, PastePanel } from './paste-panel.tsx'
import { useSaving } from './use-saving.ts'

interface AddDialogProps {
  workspaceId: string | undefined
  onClose: () => void
}

/** Adds servers to DorkOS's configuration: by hand, from a README, or from another program. */
export function AddDialog({ workspaceId, onClose }: AddDialogProps) {
  const [tab, setTab] = useState('form')
  const [added, setAdded] = useState<Added>()
  const [footer, setFooter] = useState<HTMLElement | null>(null)
  const words = text.mcp.add
  const actions = !added && tab !== 'import' && <div ref={setFooter} className="contents" />
  return (
    <Dialog open onClose={onClose} title={words.title} description={words.hint} size="lg" actions={actions}>
      {added ? (
        <AddedReport added={added} onAgain={() => setAdded(undefined)} onDone={onClose} />
      ) : (
        <div className="pb-3">
          <Tabs
            label={words.tabs.label}
            value={tab}
            onChange={setTab}
            tabs={[
              {
                value: 'form',
                label: words.tabs.form,
                content: <FormPanel footer={footer} onAdded={setAdded} />,
              },
              {
                value: 'paste',
                label: words.tabs.paste,
                content: <PastePanel footer={footer} onAdded={setAdded} />,
              },
              {
                value: 'import',
                label: words.tabs.import,
                content: <ImportPanel workspaceId={workspaceId} onAdded={setAdded} />,
              },
            ]}
          />
        </div>
      )}
    </Dialog>
  )
}

function FormPanel({ footer, onAdded }: AddPanelProps) {
  const form = useId()
  const [draft, setDraft] = useState(emptyDraft)
  const [tried, setTried] = useState(false)
  const { busy, fault, clear, save } = useSaving()
  const { entry, faults } = readEntry(draft)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!entry) return focusFault(event.currentTarget)
    const added = await save(() => api.addMcpServers({ body: { name: draft.name.trim(), entry } }))
    if (added) onAdded(added)
  }
  return (
    <form
      id={form}
      noValidate
      onSubmit={(event) => void add(event)}
      onChange={clear}
      className="flex flex-col gap-4"
    >
      <EntryFields draft={draft} onChange={setDraft} faults={tried ? faults : {}} />
      {fault && <Notice tone="danger">{fault}</Notice>}
      {footer &&
        createPortal(
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {text.mcp.add.submit}
          </Button>,
          footer,
        )}
    </form>
  )
}
