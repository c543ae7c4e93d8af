import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import type { McpTool } from './server-state.ts'

/** What a server claims of its tool. It is said that it is a claim: nothing holds the server to it. */
export function ToolHints({ hints = {} }: Pick<McpTool, 'hints'>) {
  const { hints: words, hintTitles: titles } = text.mcp.tool
  const { read_only: readOnly, destructive, open_world: openWorld } = hints
  return (
    <>
      {readOnly && <Badge title={titles.readOnly}>{words.readOnly}</Badge>}
      {destructive && !readOnly && (
        <Badge tone="warn" title={titles.destructive}>
          {words.destructive}
        </Badge>
      )}
      {openWorld && <Badge title={titles.openWorld}>{words.openWorld}</Badge>}
    </>
  )
}
