import { useId } from 'react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Select } from '../ui/field.tsx'
import type { WorkspaceChoice } from './use-workspace-choice.ts'

/** Which workspace the page is about. Nothing where there is but one. */
export function McpWorkspacePicker({ choice }: { choice: WorkspaceChoice }) {
  const select = useId()
  const { workspaces, chosen, id, choose } = choice
  if (workspaces.length < 2 && id === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <label htmlFor={select} className="text-soft max-sm:sr-only">
        {text.mcp.workspace}
      </label>
      <Select
        id={select}
        value={chosen?.id ?? ''}
        onChange={(event) => choose(event.target.value)}
        className="w-auto max-w-72 min-w-36 max-sm:w-full max-sm:max-w-none"
      >
        {!chosen && <option value="">{id}</option>}
        {workspaces.map((workspace) => {
          const name = withVisibleControls(workspace.name)
          return (
            <option key={workspace.id} value={workspace.id}>
              {workspace.main ? text.mcp.mainWorkspace(name) : name}
            </option>
          )
        })}
      </Select>
    </div>
  )
}
