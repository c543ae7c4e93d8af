import type { EndpointResponse } from '@dorkos/shared'
import { Link } from 'wouter'
import { pageOf, stateTone, stateWord } from '../mcp/server-state.ts'
import { locationOf } from '../mcp/source-text.ts'
import { ToolList } from '../mcp/tool-list.tsx'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Card } from '../ui/page.tsx'

type ToolModule = EndpointResponse<'listToolModules'>['folders'][number]

interface ModuleFolderProps {
  module: ToolModule
  /** In the address of the page; undefined is the main one. */
  choiceId: string | undefined
  workspaceId: string | undefined
}

/** A folder of tool modules: what it offers, and what does not load. */
export function ModuleFolder({ module, choiceId, workspaceId }: ModuleFolderProps) {
  const { folder, health, tools, faults } = module
  const server = moduleServer(module)
  const words = text.tools
  const title = (
    <div className="flex items-center gap-1">
      <h3
        dir="ltr"
        title={withVisibleControls(folder)}
        className="min-w-0 font-mono text-sm font-medium break-all max-sm:truncate"
      >
        <SafeText text={folder} />
      </h3>
      <CopyButton value={folder} label={words.copyPath} />
    </div>
  )
  return (
    // On a phone without a frame: what is in it comes first.
    <Card className="flex min-w-0 flex-col gap-3 max-sm:border-0 max-sm:bg-transparent max-sm:p-0">
      {health?.error !== undefined && health.state !== 'connected' && (
        <Notice tone="danger">
          <SafeText text={health.error} />
        </Notice>
      )}
      {faults.length > 0 && <Faults faults={faults} />}
      {tools.length === 0 ? (
        <div>
          {title}
          <p className="text-sm text-soft">{words.noTools}</p>
        </div>
      ) : (
        <ToolList title={title} server={server} tools={tools} workspaceId={workspaceId} canRun />
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <span>{module.workspace_id === undefined ? words.folderOwn : words.folderWorkspace}</span>
        {health && <Badge tone={stateTone(health.state)}>{stateWord(health.state)}</Badge>}
        <Link href={pageOf(server, choiceId)} className="inline-flex items-center link max-sm:min-h-10">
          {words.log}
        </Link>
      </p>
    </Card>
  )
}

function Faults({ faults }: { faults: ToolModule['faults'] }) {
  return (
    <Notice tone="danger">
      <p className="font-medium">{text.tools.faults(faults.length)}</p>
      <ul className="flex flex-col gap-2 pt-1">
        {sequence(faults, (fault) => (
          <li>
            <span className="flex items-center gap-1">
              <bdi className="font-mono text-xs font-medium break-all">
                <SafeText text={locationOf(fault)} />
              </bdi>
              <CopyButton value={locationOf(fault)} label={text.tools.copyPath} />
            </span>
            <span className="block font-mono text-xs break-words whitespace-pre-wrap">
              <SafeText text={fault.message} />
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** The name of the MCP server that a folder of tool modules is: the owner's own, or the workspace's. */
export function moduleServer({ workspace_id }: { workspace_id?: string | undefined }): string {
  return workspace_id === undefined ? 'tools' : 'workspace-tools'
}
