/** Whether the session's MCP servers work, and which it has. */
import type { McpServerHealth } from '@dorkos/shared'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { deferred } from '../ui/deferred.tsx'
import { MeterButton } from './meter-button.tsx'

const SessionMcpDialog = deferred(async () => (await import('./session-mcp-dialog.tsx')).SessionMcpDialog)

export function McpChip({ id, servers }: { id: string; servers: readonly McpServerHealth[] }) {
  const [isOpen, setOpen] = useState(false)
  const { connected, failed, pending, all } = countServers(servers)
  if (all === 0) return null
  const summary = text.conversation.mcpSummary(connected, failed, pending)
  return (
    <>
      <MeterButton
        aria-label={text.conversation.mcpLabel(text.conversation.mcpShort(connected, all), summary)}
        title={summary}
        tone={failed > 0 ? 'danger' : 'plain'}
        onClick={() => setOpen(true)}
      >
        <Plug aria-hidden size={14} />
        {text.conversation.mcpShort(connected, all)}
      </MeterButton>
      {isOpen && <SessionMcpDialog id={id} servers={servers} onClose={() => setOpen(false)} />}
    </>
  )
}

interface McpCounts {
  connected: number
  failed: number
  pending: number
  /** Without those that are switched off. */
  all: number
}

export function countServers(servers: readonly McpServerHealth[]): McpCounts {
  const having = (...statuses: readonly McpServerHealth['status'][]) =>
    servers.filter(({ status }) => statuses.includes(status)).length
  const connected = having('connected')
  const failed = having('failed', 'needs_auth')
  const pending = having('pending')
  return { connected, failed, pending, all: connected + failed + pending }
}
