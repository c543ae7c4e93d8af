import type { McpServer } from '@dorkos/shared'
import { Code } from '../render/code.tsx'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { isModules, isOwnEntry } from './server-state.ts'
import { locationOf, scopeWord, sourceOf } from './source-text.ts'

interface SourceDialogProps {
  server: McpServer
  open: boolean
  onClose: () => void
}

/** The entry of a server as it stands in its file, masked. */
export function SourceDialog({ server, open, onClose }: SourceDialogProps) {
  const words = text.mcp.source
  const location = locationOf(sourceOf(server))
  return (
    <Dialog open={open} onClose={onClose} title={words.title(withVisibleControls(server.name))} size="lg">
      <div className="flex flex-col gap-3 pb-3 text-sm">
        <div className="flex items-center gap-1">
          <p className="min-w-0 flex-1 rounded-md bg-raised px-3 py-2 font-mono text-xs break-all" dir="ltr">
            <SafeText text={location} />
          </p>
          <CopyButton value={location} label={words.copyPath} />
        </div>
        <p className="text-soft">
          <span className="font-medium text-text">
            <SafeText text={scopeWord(server.source)} />
          </span>
          {': '}
          {text.mcp.scopeHints[server.source.scope]}
        </p>
        {isModules(server) ? (
          <p className="text-soft">{words.modules}</p>
        ) : (
          <>
            <Code text={JSON.stringify({ [server.name]: server.entry }, undefined, 2)} language="json" />
            <p className="text-xs text-soft">
              {words.masked} {!isOwnEntry(server) && words.elsewhere}
            </p>
          </>
        )}
      </div>
    </Dialog>
  )
}
