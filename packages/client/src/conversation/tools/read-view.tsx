import { Code } from '../../render/code.tsx'
import { languageOfFile } from '../../render/languages.ts'
import { text } from '../../text/text.ts'
import { ToolOutput } from './generic-view.tsx'
import { fields, numberOf, stringOf } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'

/** What was read, coloured as the file it is. */
export function ReadView({ item }: ToolBodyProps) {
  const file = fields(fields(item.result?.detail).file)
  const content = stringOf(file.content)
  if (item.result?.isError !== false || content === undefined) return <ToolOutput item={item} />
  const from = numberOf(file.startLine) ?? 1
  const count = numberOf(file.numLines)
  const all = numberOf(file.totalLines)
  const isPart = count !== undefined && all !== undefined && count < all
  return (
    <>
      <Code text={content} language={languageOfFile(stringOf(file.filePath) ?? '')} />
      <p className="text-xs text-faint">
        {isPart && `${text.conversation.linesFrom(from, from + count - 1)} · `}
        {all !== undefined && text.conversation.lines(all)}
      </p>
    </>
  )
}
