import { useId, useState } from 'react'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { fittingTools } from './fitting-tools.ts'
import type { McpTool } from './server-state.ts'
import { ToolRow, type ToolRowProps } from './tool-row.tsx'

interface ToolListProps extends Omit<ToolRowProps, 'tool' | 'onReview'> {
  tools: readonly McpTool[]
  onReview?: (tool: McpTool) => void
}

const shownAtFirst = 100
const searchFrom = 6

/** The tools of a server, with a search where they are many. */
export function ToolList({ tools, onReview, ...rest }: ToolListProps) {
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const id = useId()
  const found = fittingTools(tools, search)
  const shown = all ? found : found.slice(0, shownAtFirst)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {tools.length >= searchFrom && (
        <Input
          type="search"
          aria-label={text.mcp.server.search}
          aria-controls={id}
          placeholder={text.mcp.server.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="sm:max-w-72"
        />
      )}
      <ul id={id} className="flex min-w-0 flex-col gap-1.5">
        {shown.map((tool) => (
          <ToolRow key={tool.name} tool={tool} onReview={onReview && (() => onReview(tool))} {...rest} />
        ))}
      </ul>
      {found.length === 0 && <p className="text-sm text-soft">{text.mcp.server.searchNone}</p>}
      {found.length > shown.length && (
        <Button className="self-start" onClick={() => setAll(true)}>
          {text.mcp.server.showAll(found.length)}
        </Button>
      )}
    </div>
  )
}
