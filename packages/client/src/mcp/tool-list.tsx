import { type ReactNode, useId, useState } from 'react'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { useFilters } from '../ui/filters.tsx'
import type { McpTool } from './server-state.ts'
import { ToolRow, type ToolRowProps } from './tool-row.tsx'

interface ToolListProps extends Omit<ToolRowProps, 'tool' | 'onReview'> {
  /** What these are the tools of, in a row with the search on a phone. */
  title: ReactNode
  tools: readonly McpTool[]
  onReview?: (tool: McpTool) => void
}

const shownAtFirst = 100
const searchFrom = 6

/** The tools of a server, with a search where they are many. */
export function ToolList({ title, tools, onReview, ...rest }: ToolListProps) {
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const id = useId()
  const found = fittingTools(tools, search)
  const shown = all ? found : found.slice(0, shownAtFirst)
  const filters = useFilters(
    search === '' ? 0 : 1,
    <Input
      type="search"
      aria-label={text.mcp.server.search}
      aria-controls={id}
      placeholder={text.mcp.server.search}
      value={search}
      onChange={(event) => setSearch(event.target.value)}
      className="sm:max-w-72"
    />,
  )
  const isLong = tools.length >= searchFrom
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-center gap-2">
        <div className="min-w-0 flex-1">{title}</div>
        {isLong && filters.button}
      </div>
      {isLong && filters.fields}
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

/** Tools that have every word somewhere in their name, title or description; those whose name has them come first. Pure. */
export function fittingTools(tools: readonly McpTool[], search: string): McpTool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...tools]
  const has = (these: readonly string[], where: string) => these.every((word) => where.includes(word))
  const found = tools.filter(({ name, title = '', description = '' }) =>
    has(words, `${name}\n${title}\n${description}`.toLowerCase()),
  )
  const isNamed = ({ name }: McpTool) => has(words, name.toLowerCase())
  return [...found.filter(isNamed), ...found.filter((tool) => !isNamed(tool))]
}
