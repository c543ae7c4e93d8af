import { ApiError } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { workspaceQuery } from './mcp-queries.ts'
import { instructionsTool } from './open-tools.ts'
import { PinDiff } from './pin-diff.tsx'
import type { McpTool } from './server-state.ts'

interface ReviewDialogProps {
  server: string
  workspaceId: string | undefined
  /** As they are when the window opens: exactly these are accepted, by their hashes, whatever comes meanwhile. */
  tools: readonly McpTool[]
  onClose: () => void
}

/** What is new or has changed in a server's tools, to be accepted as it is shown. */
export function ReviewDialog({ server, workspaceId, tools, onClose }: ReviewDialogProps) {
  const isAdmin = useCan('admin')
  const queries = useQueryClient()
  const [shown] = useState(tools)
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const words = text.mcp.review
  const open = shown.filter(({ name }) => !accepted.has(name))
  const accept = async (these: readonly McpTool[]) => {
    setBusy(true)
    setFault(undefined)
    const seen = these.map(({ name, pin }) => ({ name, hash: pin.hash }))
    try {
      await api.acceptMcpTools({
        params: { name: server },
        body: { ...workspaceQuery(workspaceId), tools: seen },
      })
      setAccepted(new Set([...accepted, ...these.map(({ name }) => name)]))
      if (these.length === open.length) onClose()
    } catch (error) {
      setFault(error instanceof ApiError && error.code === 'conflict' ? words.conflict : errorText(error))
    } finally {
      void queries.invalidateQueries({ queryKey: ['mcp'] })
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      description={words.hint}
      size="lg"
      actions={
        <>
          <Button onClick={onClose}>{text.ui.close}</Button>
          {isAdmin && open.length > 1 && (
            <Button variant="primary" busy={busy} onClick={() => void accept(open)}>
              {words.acceptAll(open.length)}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4 pb-3">
        {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
        {!isAdmin && <Notice tone="neutral">{text.mcp.notAdmin}</Notice>}
        {shown.map((tool) => (
          <OneTool
            key={tool.name}
            tool={tool}
            isAccepted={accepted.has(tool.name)}
            busy={busy}
            mayAccept={isAdmin}
            onAccept={() => void accept([tool])}
          />
        ))}
      </div>
    </Dialog>
  )
}

interface OneToolProps {
  tool: McpTool
  isAccepted: boolean
  busy: boolean
  mayAccept: boolean
  onAccept: () => void
}

function OneTool({ tool, isAccepted, busy, mayAccept, onAccept }: OneToolProps) {
  const words = text.mcp.review
  return (
    <section className="min-w-0 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1 font-mono text-sm font-medium break-all max-sm:basis-full">
          {tool.name === instructionsTool ? text.mcp.tool.instructions : <SafeText text={tool.name} />}
        </h3>
        <Badge tone="warn">{text.mcp.tool.pins[tool.pin.status]}</Badge>
        {tool.pin.held && !isAccepted && <Badge tone="danger">{text.mcp.tool.held}</Badge>}
        {isAccepted ? (
          <Badge tone="ok">{words.accepted}</Badge>
        ) : (
          mayAccept && (
            <Button size="sm" icon={Check} busy={busy} onClick={onAccept}>
              {words.accept}
            </Button>
          )
        )}
      </div>
      <PinDiff tool={tool} />
    </section>
  )
}
