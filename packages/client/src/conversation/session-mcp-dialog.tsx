/** What a session has: its MCP servers, how each does there, and where it comes from. */
import type { McpServerHealth } from '@dorkos/shared'
import { Link } from 'wouter'
import { SessionMcp } from '../mcp/session-mcp.tsx'
import { text } from '../text/text.ts'
import { Dialog } from '../ui/dialog.tsx'

interface SessionMcpDialogProps {
  id: string
  servers: readonly McpServerHealth[]
  onClose: () => void
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
        <Link href="/mcp" className="inline-flex min-h-9 items-center px-2 text-sm link">
          {text.conversation.mcpPage}
        </Link>
      }
    >
      <div className="pb-3">
        <SessionMcp sessionId={id} ofProcess={servers} />
      </div>
    </Dialog>
  )
}
