import type { McpList } from '@dorkos/shared'
import { Download, Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { formatCount } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { AddDialog } from './add-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { FileFaults } from './file-faults.tsx'
import { groupServers, totalsOf } from './group-servers.ts'
import { useMcpList } from './mcp-queries.ts'
import { ServerCard } from './server-card.tsx'
import { locationOf } from './source-text.ts'
import { UnusedServer } from './unused-server.tsx'
import { useWorkspaceChoice } from './use-workspace-choice.ts'
import { McpWorkspacePicker } from './workspace-picker.tsx'

/** Every MCP server of a workspace: source, state, and why some are not used. */
export function McpPage() {
  const isAdmin = useCan('admin')
  const choice = useWorkspaceChoice()
  const query = useMcpList(choice.id)
  const [open, setOpen] = useState<'add' | 'export'>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title={text.mcp.title}
      description={text.mcp.description}
      actions={
        <>
          <McpWorkspacePicker choice={choice} />
          <Button icon={Download} iconOnPhone onClick={() => setOpen('export')}>
            {text.mcp.export.open}
          </Button>
          {isAdmin && (
            <Button variant="primary" icon={Plus} iconOnPhone onClick={() => setOpen('add')}>
              {text.mcp.add.open}
            </Button>
          )}
        </>
      }
    >
      {!isAdmin && <Notice tone="neutral">{text.mcp.notAdmin}</Notice>}
      <QueryView query={query}>
        {(list) => (
          <Servers list={list} workspaceId={list.workspace_id ?? choice.chosen?.id} choiceId={choice.id} />
        )}
      </QueryView>
      {open === 'add' && <AddDialog workspaceId={choice.id} onClose={close} />}
      {open === 'export' && <ExportDialog workspaceId={choice.id} onClose={close} />}
    </Page>
  )
}

interface ServersProps {
  list: McpList
  workspaceId: string | undefined
  choiceId: string | undefined
}

function Servers({ list, workspaceId, choiceId }: ServersProps) {
  const { used, unused } = groupServers(list.servers)
  return (
    <>
      <FileFaults faults={list.faults} />
      {list.servers.length === 0 ? (
        <Empty icon={Plug} title={text.mcp.empty}>
          {text.mcp.emptyHint}
        </Empty>
      ) : (
        <Totals list={list} />
      )}
      <ul className="flex flex-col gap-2">
        {used.map((server) => (
          <ServerCard
            key={`${server.name} ${locationOf(server.source)}`}
            server={server}
            all={list.servers}
            workspaceId={workspaceId}
            choiceId={choiceId}
          />
        ))}
      </ul>
      {unused.length > 0 && (
        <Disclosure label={text.mcp.unused(unused.length)} startsOpen={used.length === 0}>
          <ul className="flex flex-col gap-2">
            {unused.map((server) => (
              <UnusedServer key={`${server.name} ${locationOf(server.source)}`} server={server} />
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  )
}

function Totals({ list }: { list: McpList }) {
  const { active, connected, off, tools, contextTokens, held } = totalsOf(list.servers)
  const words = text.mcp.totals
  return (
    <p
      aria-live="polite"
      className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft tabular-nums max-sm:order-last"
    >
      <span className="font-medium text-text">{words.servers(connected, active)}</span>
      {off > 0 && <span>{words.off(off)}</span>}
      <span>{words.tools(tools)}</span>
      <span title={text.mcp.tokensHint}>{words.tokens(formatCount(contextTokens))}</span>
      {held > 0 && <span className="text-warn">{words.held(held)}</span>}
    </p>
  )
}
