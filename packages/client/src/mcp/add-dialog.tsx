import { useState } from 'react'
import { text } from '../text/page-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AddForm, type AddPanelProps } from './add-form.tsx'
import { type Added, AddedReport } from './added-report.tsx'
import { EntryFields } from './entry-fields.tsx'
import { emptyEntryDraft, readEntry } from './entry-form.ts'
import { focusFault } from './focus-fault.ts'
import { ImportPanel } from './import-panel.tsx'
import { PastePanel } from './paste-panel.tsx'

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

function FormPanel(panel: AddPanelProps) {
  const [draft, setDraft] = useState(emptyEntryDraft)
  const [tried, setTried] = useState(false)
  const { entry, faults } = readEntry(draft)
  const ready = (form: Element) => {
    setTried(true)
    if (entry) return { name: draft.name.trim(), entry }
    focusFault(form)
    return undefined
  }
  return (
    <AddForm {...panel} onSubmit={ready}>
      <EntryFields draft={draft} onChange={setDraft} faults={tried ? faults : {}} />
    </AddForm>
  )
}
