/** What a session has: its MCP servers as its process sees them, and where each comes from. */
import type { McpServer, McpServerHealth } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { text } from '../text/text.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice, type Tone } from '../ui/notice.tsx'
import { QueryView } from '../ui/query-view.tsx'

interface SessionMcpDialogProps {
  id: string
  servers: readonly McpServerHealth[]
  onClose: () => void
}

const tones: Readonly<Record<McpServerHealth['status'], Tone>> = {
  connected: 'ok',
  failed: 'danger',
  'needs-auth': 'warn',
  pending: 'neutral',
  disabled: 'neutral',
}

export function SessionMcpDialog({ id, servers, onClose }: SessionMcpDialogProps) {
  const query = useQuery({
    queryKey: ['mcp', 'session', id],
    queryFn: ({ signal }) => api.getSessionMcp({ params: { id }, signal }),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={text.conversation.mcpDialog}
      description={text.conversation.mcpDialogHint}
      actions={
        <Link
          href="/mcp"
          className="inline-flex min-h-9 items-center px-2 text-sm text-accent hover:underline"
        >
          {text.conversation.mcpPage}
        </Link>
      }
    >
      <div className="flex flex-col gap-4 pb-3">
        <section>
          <h3 className="pb-1 text-sm font-medium">{text.conversation.mcpInSession}</h3>
          <ul className="divide-y divide-line rounded-lg border border-line">
            {servers.map((server) => (
              <ConnectedRow key={server.name} server={server} />
            ))}
          </ul>
        </section>
        <section>
          <h3 className="pb-1 text-sm font-medium">{text.conversation.mcpConfigured}</h3>
          <QueryView query={query}>
            {(list) =>
              list.servers.length === 0 ? (
                <p className="text-sm text-soft">{text.conversation.mcpEmpty}</p>
              ) : (
                <ul className="divide-y divide-line rounded-lg border border-line">
                  {list.servers.map((server) => (
                    <SourceRow
                      key={`${server.name}:${server.source.file}:${server.source.line}`}
                      server={server}
                    />
                  ))}
                </ul>
              )
            }
          </QueryView>
        </section>
      </div>
    </Dialog>
  )
}

function ConnectedRow({ server }: { server: McpServerHealth }) {
  const { name, status, error, tool_count: tools } = server
  return (
    <li className="px-3 py-2 text-sm">
      <div className="flex items-center gap-2">
        <bdi className="min-w-0 flex-1 truncate font-mono text-[0.8125rem]" title={name}>
          {name}
        </bdi>
        {tools !== undefined && (
          <span className="text-xs text-faint">{text.conversation.mcpTools(tools)}</span>
        )}
        <Badge tone={tones[status]}>{text.conversation.mcpStates[status]}</Badge>
      </div>
      {error !== undefined && (
        <p dir="auto" className="pt-1 text-xs text-danger [overflow-wrap:anywhere]">
          {error}
        </p>
      )}
    </li>
  )
}

function SourceRow({ server }: { server: McpServer }) {
  const { name, source, use, message } = server
  return (
    <li className="px-3 py-2 text-sm">
      <div className="flex items-center gap-2">
        <Link
          href={`/mcp/${encodeURIComponent(name)}`}
          className="min-w-0 flex-1 truncate font-mono text-[0.8125rem] hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        <Badge tone={use === 'active' ? 'ok' : 'neutral'}>{text.conversation.mcpUse[use]}</Badge>
      </div>
      <p className="truncate text-xs text-faint" title={source.file}>
        <bdi>{`${source.file}:${source.line}`}</bdi>
      </p>
      {message !== undefined && use !== 'active' && (
        <div className="pt-1">
          <Notice tone="neutral">{message}</Notice>
        </div>
      )}
    </li>
  )
}
