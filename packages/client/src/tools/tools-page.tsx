import type { Workspace } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { workspaceQuery } from '../mcp/mcp-queries.ts'
import { useWorkspaceChoice } from '../mcp/use-workspace-choice.ts'
import { McpWorkspacePicker } from '../mcp/workspace-picker.tsx'
import { text } from '../text/page-text.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Card, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { InjectedTools } from './injected-tools.tsx'
import { ModuleFolder } from './module-folder.tsx'

/** The tools that the owner writes, those that DorkOS itself gives to agents, and how to write one. */
export function ToolsPage() {
  const choice = useWorkspaceChoice()
  const folders = useQuery({
    queryKey: ['mcp', 'modules', choice.id ?? 'main'],
    queryFn: ({ signal }) => api.listToolModules({ query: workspaceQuery(choice.id), signal }),
  })
  const words = text.tools
  const hasOwn = folders.data === undefined || folders.data.folders.length > 0
  return (
    <Page
      title={words.title}
      description={words.description}
      actions={<McpWorkspacePicker choice={choice} />}
    >
      {hasOwn && (
        <section className="flex min-w-0 flex-col gap-3">
          <h2 className="font-semibold max-sm:sr-only">{words.own}</h2>
          <QueryView query={folders}>
            {(data) =>
              data.folders.map((folder) => (
                <ModuleFolder
                  key={folder.folder}
                  module={folder}
                  choiceId={choice.id}
                  workspaceId={choice.chosen?.id}
                />
              ))
            }
          </QueryView>
        </section>
      )}
      <InjectedTools />
      <HowToWrite workspace={choice.chosen} hasOwn={hasOwn} />
    </Page>
  )
}

/** After the lists: who reads it once has no use for it above them. */
function HowToWrite({ workspace, hasOwn }: { workspace: Workspace | undefined; hasOwn: boolean }) {
  const words = text.tools
  const isBoxed = workspace?.mode === 'container'
  return (
    <Card className="flex flex-col gap-1 text-sm text-soft">
      <h2 className="text-base font-semibold text-text">{hasOwn ? words.write : words.own}</h2>
      {!hasOwn && <p>{isBoxed ? words.folderNoneBoxed : `${words.folderNone} ${words.folderNoneYet}`}</p>}
      <p>{words.ownHint}</p>
      <Command label={words.ownDocs} command={words.ownCommand} />
      <Command label={words.ownTry} command={words.ownTryCommand} />
      <p>{words.reload}</p>
    </Card>
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
