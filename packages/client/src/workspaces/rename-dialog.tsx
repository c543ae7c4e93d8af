import type { Workspace } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { NameDialog } from '../ui/name-dialog.tsx'

export function RenameDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const queries = useQueryClient()
  const words = text.workspaces
  const save = async (name: string) => {
    await api.changeWorkspace({ params: { id: workspace.id }, body: { name } })
    void queries.invalidateQueries({ queryKey: ['workspaces'] })
  }
  return (
    <NameDialog
      title={words.renameTitle(withVisibleControls(workspace.name))}
      label={words.name}
      name={workspace.name}
      maxLength={200}
      missing={words.nameMissing}
      onSave={save}
      onClose={onClose}
    />
  )
}
