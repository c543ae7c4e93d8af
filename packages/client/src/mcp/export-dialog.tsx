import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Code } from '../render/code.tsx'
import { text } from '../text/page-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Lines } from './added-report.tsx'
import { workspaceQuery } from './mcp-queries.ts'

interface ExportDialogProps {
  workspaceId: string | undefined
  onClose: () => void
}

/** The active servers as other programs take them. */
export function ExportDialog({ workspaceId, onClose }: ExportDialogProps) {
  const query = useQuery({
    queryKey: ['mcp', 'export', workspaceId ?? 'main'],
    queryFn: ({ signal }) => api.exportMcpServers({ query: workspaceQuery(workspaceId), signal }),
  })
  const words = text.mcp.export
  return (
    <Dialog open onClose={onClose} title={words.title} description={words.hint} size="lg">
      <div className="pb-3">
        <QueryView query={query}>
          {({ mcpServers, fill_in: fillIn }) => (
            <>
              {fillIn.length > 0 && <Lines tone="warn" title={words.fillIn} lines={fillIn} />}
              <Code text={JSON.stringify({ mcpServers }, undefined, 2)} language="json" />
            </>
          )}
        </QueryView>
      </div>
    </Dialog>
  )
}
