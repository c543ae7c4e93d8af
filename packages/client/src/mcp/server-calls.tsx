import { text } from '../text/page-text.ts'
import { formatMs } from '../ui/format.ts'
import { callFigures } from './call-figures.ts'
import { useMcpServer } from './mcp-queries.ts'

/** How many calls a connected server had, and how long they took. Nothing before the first one. */
export function ServerCalls({ name, workspaceId }: { name: string; workspaceId: string | undefined }) {
  const { data } = useMcpServer(name, workspaceId)
  const { calls, errors, p50Ms, p95Ms } = callFigures(data?.tools ?? [])
  if (calls === 0) return null
  return (
    <>
      <span>
        {text.mcp.calls(calls)}
        {errors > 0 && <span className="text-danger">{`, ${text.mcp.errors(errors)}`}</span>}
      </span>
      {p50Ms !== undefined && (
        <span title={text.mcp.p50Hint}>
          {text.mcp.p50} {formatMs(p50Ms)}
        </span>
      )}
      {p95Ms !== undefined && (
        <span title={text.mcp.p95Hint}>
          {text.mcp.p95} {formatMs(p95Ms)}
        </span>
      )}
    </>
  )
}
