import { useQuery } from '@tanstack/react-query'
import { FolderCode } from 'lucide-react'
import { api } from '../api.ts'
import { workspaceQuery } from '../mcp/mcp-queries.ts'
import { useWorkspaceChoice } from '../mcp/use-workspace-choice.ts'
import { McpWorkspacePicker } from '../mcp/workspace-picker.tsx'
import { text } from '../text/page-text.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { InjectedTools } from './injected-tools.tsx'
import { ModuleFolder } from './module-folder.tsx'

/** The tools that DorkOS itself gives to agents, and those that the owner writes. */
export function ToolsPage() {
  const choice = useWorkspaceChoice()
  const folders = useQuery({
    queryKey: ['mcp', 'modules', choice.id ?? 'main'],
    queryFn: ({ signal }) => api.listToolModules({ query: workspaceQuery(choice.id), signal }),
  })
  const words = text.tools
  return (
    <Page title={words.title} description={words.description}>
      <McpWorkspacePicker choice={choice} />
      <section className="flex min-w-0 flex-col gap-3">
        <div>
          <h2 className="font-semibold">{words.own}</h2>
          <p className="text-sm text-soft max-sm:hidden">{words.ownHint}</p>
        </div>
        <QueryView query={folders}>
          {(data) =>
            data.folders.length === 0 ? (
              <Empty icon={FolderCode} title={words.folderNone}>
                {choice.chosen?.mode === 'container' ? words.folderNoneBoxed : words.folderNoneYet}
              </Empty>
            ) : (
              data.folders.map((folder) => (
                <ModuleFolder
                  key={folder.folder}
                  module={folder}
                  choiceId={choice.id}
                  workspaceId={choice.chosen?.id}
                />
              ))
            )
          }
        </QueryView>
        <div className="flex flex-col gap-1 text-sm text-soft">
          <p className="sm:hidden">{words.ownHint}</p>
          <Command label={words.ownDocs} command={words.ownCommand} />
          <Command label={words.ownTry} command={words.ownTryCommand} />
          <p>{words.reload}</p>
        </div>
      </section>
      <InjectedTools />
    </Page>
  )
}

function Command({ label, command }: { label: string; command: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <span>{label}</span>
      <span className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 rounded bg-raised px-2 py-1 text-xs break-all">{command}</code>
        <CopyButton value={command} />
      </span>
    </div>
  )
}
