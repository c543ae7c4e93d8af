import { Markdown } from '../../render/markdown.tsx'
import { SafeText } from '../../render/safe-text.tsx'
import { text } from '../../text/text.ts'
import { ToolOutput } from './generic-view.tsx'
import { resultText, stringOf } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { ToolPart } from './tool-part.tsx'
import { inputOf } from './tool-title.ts'

/** A page that was fetched, or a search of the web: what was asked, and the answer as it was written. */
export function WebView({ item }: ToolBodyProps) {
  const input = inputOf(item)
  const asked = [stringOf(input.url), stringOf(input.query), stringOf(input.prompt)].filter((one) => one)
  return (
    <>
      <ToolPart name={text.conversation.inputHeading}>
        {asked.map((one) => (
          <p key={one} dir="auto" className="text-sm text-soft [overflow-wrap:anywhere]">
            <SafeText text={one ?? ''} />
          </p>
        ))}
      </ToolPart>
      {item.result && !item.result.isError ? (
        <ToolPart name={text.conversation.outputHeading}>
          <Markdown text={resultText(item.result)} />
        </ToolPart>
      ) : (
        <ToolOutput item={item} />
      )}
    </>
  )
}
