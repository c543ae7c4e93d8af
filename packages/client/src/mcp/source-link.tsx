import type { McpServer } from '@dorkos/shared'
import { FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { locationOf, scopeWord, shortLocation, sourceOf } from './source-text.ts'

/** The file and line that a server comes from, and its scope. A click shows the entry. */
export function SourceLink({ server }: { server: McpServer }) {
  const [open, setOpen] = useState(false)
  const { file, line } = sourceOf(server)
  const location = locationOf({ file, line })
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <span className="flex max-w-1/2 shrink-0">
        <Badge title={text.mcp.scopeHints[server.source.scope]}>
          <SafeText text={scopeWord(server.source)} />
        </Badge>
      </span>
      <button
        type="button"
        title={withVisibleControls(location)}
        aria-label={text.mcp.sourceOpen(withVisibleControls(location))}
        onClick={() => setOpen(true)}
        className="inline-flex min-h-6 min-w-0 items-center gap-1 rounded font-mono text-xs text-soft underline decoration-line-strong underline-offset-3 hover:text-text max-sm:min-h-10"
      >
        <FileCode2 aria-hidden size={13} className="shrink-0" />
        <bdi className="truncate">
          <SafeText text={shortLocation({ file })} />
        </bdi>
        {line !== undefined && <span className="-ml-1 shrink-0">{`:${line}`}</span>}
      </button>
      <SourceDialog server={server} open={open} onClose={() => setOpen(false)} />
    </span>
  )
}
