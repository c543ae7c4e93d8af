/** What a session has: its MCP servers as its process sees them, and where each comes from. */
import type { McpServerHealth } from '@dorkos/shared'
import { Link } from 'wouter'
import { SessionMcp } from '../mcp/session-mcp.tsx'
import { text } from '../text/text.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { Tone } from '../ui/notice.tsx'

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
          <SessionMcp sessionId={id} />
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
