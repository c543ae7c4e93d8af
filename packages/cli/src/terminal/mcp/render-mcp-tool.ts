/** Tools of an MCP server, and how they differ from what was accepted. All of it is the server's text: nothing stays unseen. */
import type { McpServerDetails } from '@dorkos/shared'
import { exactLine, exactText, oneLine } from '../escape.ts'
import { hiddenWarning } from '../render-approval.ts'
import type { Style } from '../style.ts'
import { type Column, renderTable } from '../table.ts'

export type McpTool = McpServerDetails['tools'][number]

export function renderToolTable(tools: readonly McpTool[], width: number, style: Style): string[] {
  return renderTable(tools, toolColumns, width, style)
}

const toolColumns: Column<McpTool>[] = [
  { title: 'TOOL', value: ({ name }) => exactLine(name) },
  { title: 'STATE', value: stateOf },
  { title: 'CALLS', value: ({ stats }) => String(stats.calls) },
  { title: 'ERRORS', value: ({ stats }) => String(stats.errors) },
  { title: 'P50', value: ({ stats }) => formatMs(stats.p50_ms) },
  { title: 'P95', value: ({ stats }) => formatMs(stats.p95_ms) },
  { title: 'TOKENS', value: ({ context_tokens }) => String(context_tokens) },
  { title: 'DESCRIPTION', value: ({ description }) => oneLine(exactText(description ?? '')), grows: true },
]

function stateOf({ switched_off, pin }: McpTool): string {
  const off = switched_off ? ['off'] : []
  const words = pin.status === 'pinned' ? [] : [pin.held ? `${pin.status}, needs review` : pin.status]
  return [...off, ...words].join(', ') || 'ok'
}

function formatMs(ms: number | undefined): string {
  return ms === undefined ? '' : ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`
}

/** What a person accepts: the difference, or, for a tool that was not there before, all of it. */
export function renderToolChange(tool: McpTool, style: Style): string[] {
  const { pin } = tool
  const heading = `${style.bold(exactLine(tool.name))}  ${style.yellow(pin.status)}${pin.held ? ', unavailable to agents' : ''}`
  const lines = pin.diff ? pin.diff.flatMap((change) => renderDiff(change, style)) : renderWhole(tool, style)
  const shown = pin.diff ?? [tool.description, tool.input_schema]
  return [heading, ...lines, ...hiddenWarning([tool.name, shown], style)]
}

function renderDiff(
  { path, before, after }: NonNullable<McpTool['pin']['diff']>[number],
  style: Style,
): string[] {
  return [
    `  ${style.cyan(exactLine(path) || 'the full definition')}`,
    ...(before === undefined ? [] : marked(before, style.red('-'))),
    ...(after === undefined ? [] : marked(after, style.green('+'))),
  ]
}

function renderWhole({ description, input_schema }: McpTool, style: Style): string[] {
  return [
    ...(description === undefined ? [] : marked(description, style.green('+'))),
    ...marked(JSON.stringify(input_schema, undefined, 2), style.green('+')),
  ]
}

/** Each line behind a mark, so that none can pose as ours. */
function marked(text: string, mark: string): string[] {
  return exactText(text)
    .split('\n')
    .map((line) => `    ${mark} ${line}`)
}
