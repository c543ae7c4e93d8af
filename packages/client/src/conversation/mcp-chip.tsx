/** How the session's MCP servers do. In the header only what failed is worth its room. */
import type { McpServerHealth } from '@dorkos/shared'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import { countServers } from '../mcp/count-servers.ts'
import { text } from '../text/text.ts'
import { deferred } from '../ui/deferred.tsx'
import { MeterButton } from './meter-button.tsx'

const SessionMcpDialog = deferred(async () => (await import('./session-mcp-dialog.tsx')).SessionMcpDialog)

interface McpChipProps {
  id: string
  servers: readonly McpServerHealth[]
  /** Also where all of them work. */
  always?: boolean
}

export function McpChip({ id, servers, always }: McpChipProps) {
  const [isOpen, setOpen] = useState(false)
  const { connected, failed, pending } = countServers(
    servers.map(({ name, status }) => ({ name, state: status })),
  )
  const isShown = always ? servers.length > 0 : failed > 0
  // What is switched off in the dialog does not close it.
  if (!isShown && !isOpen) return null
  const summary = text.conversation.mcpSummary(connected, failed, pending)
  return (
    <>
      <MeterButton
        aria-label={text.conversation.mcpLabel(summary)}
        title={summary}
        tone={failed > 0 ? 'danger' : 'plain'}
        onClick={() => setOpen(true)}
      >
        <Plug aria-hidden size={14} />
        {always ? summary : text.conversation.mcpFailed(failed)}
      </MeterButton>
      {isOpen && <SessionMcpDialog id={id} servers={servers} onClose={() => setOpen(false)} />}
    </>
  )
}
