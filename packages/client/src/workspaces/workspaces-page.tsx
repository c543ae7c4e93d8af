import { useQuery } from '@tanstack/react-query'
import { FolderGit2, FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { workspacesQuery } from '../queries/workspaces.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { AddWorkspaceDialog } from './add-workspace-dialog.tsx'
import { WorkspaceRow } from './workspace-row.tsx'

/** The directories that agents work in. */
export function WorkspacesPage() {
  const isAdmin = useCan('admin')
  const [adding, setAdding] = useState(false)
  const query = useQuery(workspacesQuery)
  const words = text.workspaces
  return (
    <Page
      title={words.title}
      description={words.description}
      actions={
        isAdmin && (
          <Button variant="primary" icon={FolderPlus} iconOnPhone onClick={() => setAdding(true)}>
            {words.add.open}
          </Button>
        )
      }
    >
      {!isAdmin && <Notice tone="neutral">{words.notAdmin}</Notice>}
      <QueryView query={query}>
        {({ workspaces }) =>
          workspaces.length === 0 ? (
            <Empty icon={FolderGit2} title={words.none}>
              {words.noneHint}
            </Empty>
          ) : (
            <ul className="flex flex-col gap-2">
              {workspaces
                .toSorted((a, b) => Number(b.main) - Number(a.main) || a.name.localeCompare(b.name))
                .map((workspace) => (
                  <WorkspaceRow key={workspace.id} workspace={workspace} />
                ))}
            </ul>
          )
        }
      </QueryView>
      {adding && <AddWorkspaceDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}
