import { Braces, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Code } from '../render/code.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { IconButton } from '../ui/button.tsx'
import { type SchemaRow, schemaRows } from './schema-rows.ts'

/** What a tool takes: as a table for people, or as it is. */
export function ToolSchema({ schema }: { schema: unknown }) {
  const [asJson, setAsJson] = useState(false)
  const { rows, cut } = useMemo(() => schemaRows(schema), [schema])
  const words = text.mcp.tool
  return (
    <section className="min-w-0">
      <div className="flex items-center gap-2">
        <h4 className="flex-1 text-sm font-medium">{words.schema}</h4>
        <IconButton
          label={asJson ? words.schemaTable : words.schemaJson}
          icon={asJson ? Table2 : Braces}
          iconSize={16}
          onClick={() => setAsJson(!asJson)}
        />
      </div>
      {asJson ? (
        <Code text={JSON.stringify(schema, undefined, 2) ?? ''} language="json" />
      ) : rows.length === 0 ? (
        <p className="text-sm text-soft">{words.noInput}</p>
      ) : (
        <>
          <Rows rows={rows} />
          {cut && <p className="pt-1 text-xs text-soft">{words.cut}</p>}
        </>
      )}
    </section>
  )
}

/** A list on narrow screens, a table where there is room. */
function Rows({ rows }: { rows: readonly SchemaRow[] }) {
  const words = text.mcp.tool
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <table className="w-full text-left text-sm max-sm:block">
        <thead className="bg-raised text-xs text-soft max-sm:sr-only">
          <tr>
            <th className="px-3 py-1.5 font-medium">{words.columns.field}</th>
            <th className="px-3 py-1.5 font-medium">{words.columns.type}</th>
            <th className="px-3 py-1.5 font-medium">{words.columns.description}</th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={row.path}
              className="border-t border-line align-top max-sm:block max-sm:py-1.5 sm:first:border-t-0"
            >
              <td className="px-3 py-1.5 font-mono text-xs break-all max-sm:block max-sm:py-0.5 sm:max-w-56 sm:min-w-28">
                <SafeText text={row.path} />
                {row.required && <span className="ml-1.5 font-sans text-warn">{words.required}</span>}
              </td>
              <td className="px-3 py-1.5 text-xs break-words text-soft max-sm:block max-sm:py-0.5 sm:max-w-48">
                <SafeText text={row.type} />
              </td>
              <td dir="auto" className="px-3 py-1.5 text-xs break-words text-soft max-sm:block max-sm:py-0.5">
                {row.description !== undefined && <SafeText text={row.description} />}
                {row.initial !== undefined && (
                  <span className="block font-mono break-all">
                    <SafeText text={words.initial(row.initial)} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
