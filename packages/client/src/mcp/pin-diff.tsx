import { Code } from '../render/code.tsx'
import { Diff } from '../render/diff.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { diffableText } from './diffable-text.ts'
import { instructionsTool } from './open-tools.ts'
import type { McpTool } from './server-state.ts'

/** What somebody is asked to accept wraps: nothing of it lies to the side, out of sight. */
export const wrappedDiff = '[&_td:last-child]:wrap-anywhere [&_td:last-child]:whitespace-pre-wrap'

/** What changed in a tool since it was accepted; of one that was not there before, all of it. */
export function PinDiff({ tool }: { tool: McpTool }) {
  const { diff } = tool.pin
  if (diff && diff.length > 0)
    return (
      <div className={wrappedDiff}>
        {sequence(diff, ({ path, before = '', after = '' }) => (
          <Diff
            before={diffableText(before)}
            after={diffableText(after)}
            fileName={path === '' ? text.mcp.review.whole : path}
          />
        ))}
      </div>
    )
  return (
    <div className="pt-2">
      <p className="text-xs text-soft">{text.mcp.review.newTool}</p>
      {tool.title !== undefined && (
        <p className="pt-1 text-sm font-medium">
          <SafeText text={tool.title} />
        </p>
      )}
      <p dir="auto" className="pt-1 text-sm break-words whitespace-pre-wrap">
        <SafeText text={tool.description ?? text.mcp.tool.noDescription} />
      </p>
      {tool.name !== instructionsTool && (
        <Code text={JSON.stringify(tool.input_schema, undefined, 2)} language="json" />
      )}
    </div>
  )
}
