import { FolderGit2 } from 'lucide-react'
import { PickerButton } from '../composer/picker-button.tsx'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import type { WorkspaceChoice } from './use-workspace-choice.ts'

/** Which workspace the page is about, beside its title. Nothing where there is but one. */
export function McpWorkspacePicker({ choice }: { choice: WorkspaceChoice }) {
  const { workspaces, chosen, id, choose } = choice
  if (workspaces.length < 2 && id === undefined) return null
  const options = workspaces.map((workspace) => {
    const name = withVisibleControls(workspace.name)
    return {
      value: workspace.id,
      label: workspace.main ? text.mcp.mainWorkspace(name) : name,
      hint: withVisibleControls(workspace.path),
    }
  })
  const value = withVisibleControls(chosen?.name ?? id ?? '')
  return (
    <span className="flex max-w-60 min-w-0 items-center max-sm:max-w-28">
      <Menu trigger={<PickerButton icon={FolderGit2} name={text.mcp.workspace} value={value} />}>
        <MenuChoice label={text.mcp.workspace} value={chosen?.id ?? ''} options={options} onChange={choose} />
      </Menu>
    </span>
  )
}
