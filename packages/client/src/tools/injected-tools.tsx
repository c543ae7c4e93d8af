import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { ToolSchema } from '../mcp/tool-schema.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { QueryView } from '../ui/query-view.tsx'

/** The tools that run in the server itself and are part of every session. */
export function InjectedTools() {
  const query = useQuery({ queryKey: ['tools'], queryFn: ({ signal }) => api.listTools({ signal }) })
  const words = text.tools
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <h2 className="font-semibold">{words.injected}</h2>
      <QueryView query={query}>
        {({ server, tools }) => (
          <>
            {tools.length === 0 && <p className="text-sm text-soft">{words.injectedNone}</p>}
            <ul className="flex flex-col gap-1.5">
              {tools.map((tool) => (
                <InjectedTool key={tool.name} tool={tool} />
              ))}
            </ul>
            <p className="text-sm text-soft">{words.injectedHint(server)}</p>
          </>
        )}
      </QueryView>
    </section>
  )
}

interface Tool {
  name: string
  full_name: string
  description: string
  input_schema?: unknown
}

function InjectedTool({ tool }: { tool: Tool }) {
  const opened = useState(false)
  return (
    <li className="rounded-lg border border-line bg-card">
      <Disclosure
        look="tall"
        label={
          <span className="min-w-0 flex-1">
            <span className="block truncate font-mono text-sm font-medium">{tool.name}</span>
            {!opened[0] && <span className="block truncate text-xs text-soft">{tool.description}</span>}
          </span>
        }
        opened={opened}
        bodyClassName="flex min-w-0 flex-col gap-3 border-t border-line p-3"
      >
        <p className="text-sm break-words whitespace-pre-wrap">
          <SafeText text={tool.description} />
        </p>
        <div className="flex items-center gap-1 text-xs text-soft">
          <span className="shrink-0">{text.mcp.tool.asModel}</span>
          <code className="min-w-0 break-all">{tool.full_name}</code>
          <CopyButton value={tool.full_name} />
        </div>
        <ToolSchema schema={tool.input_schema} />
      </Disclosure>
    </li>
  )
}
