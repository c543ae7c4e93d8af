import type { Workspace } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Pencil, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { toast } from '../ui/toast.tsx'

interface WorkspaceMenuProps {
  workspace: Workspace
  onForgotten?: () => void
}

/** Rename, make main, forget. */
export function WorkspaceMenu({ workspace, onForgotten }: WorkspaceMenuProps) {
  const isAdmin = useCan('admin')
  const queries = useQueryClient()
  const [asked, setAsked] = useState<'rename' | 'forget'>()
  const words = text.workspaces
  const name = withVisibleControls(workspace.name)
  const params = { id: workspace.id }
  const refresh = () => queries.invalidateQueries({ queryKey: ['workspaces'] })
  if (!isAdmin) return null
  const makeMain = async () => {
    try {
      await api.changeWorkspace({ params, body: { main: true } })
      toast.ok(words.isMainNow(name))
    } catch (error) {
      toast.error(errorText(error))
    }
    void refresh()
  }
  const forget = async () => {
    await api.deleteWorkspace({ params })
    toast.ok(words.forgotten(name))
    onForgotten?.()
    void refresh()
  }
  return (
    <>
      <Menu trigger={<IconButton label={words.menu(name)} icon={MoreHorizontal} />}>
        <MenuItem icon={Pencil} onSelect={() => setAsked('rename')}>
          {words.rename}
        </MenuItem>
        <MenuItem
          icon={Star}
          disabled={workspace.main}
          {...(workspace.main && { hint: words.alreadyMain })}
          onSelect={() => void makeMain()}
        >
          {words.makeMain}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={Trash2}
          danger
          disabled={workspace.main}
          {...(workspace.main && { hint: words.forgetMain })}
          onSelect={() => setAsked('forget')}
        >
          {words.forget}
        </MenuItem>
      </Menu>
      {asked === 'rename' && <RenameDialog workspace={workspace} onClose={() => setAsked(undefined)} />}
      <Confirm
        open={asked === 'forget'}
        onClose={() => setAsked(undefined)}
        title={words.forgetTitle(name)}
        message={words.forgetMessage(withVisibleControls(workspace.path))}
        action={words.forget}
        danger
        onConfirm={forget}
      />
    </>
  )
}

function RenameDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
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
