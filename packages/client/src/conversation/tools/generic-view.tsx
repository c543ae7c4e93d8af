import type { ReactNode } from 'react'
import { JsonView } from '../../render/json-view.tsx'
import { ToolContent } from '../../render/tool-content.tsx'
import { text } from '../../text/text.ts'
import { cleanBlocks } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { inputOf } from './tool-title.ts'

/** Input and output as they are: for MCP tools, injected tools, and those that nobody here knows. */
export function GenericView({ item, status }: ToolBodyProps) {
  const input = inputOf(item)
  const isEmpty = Object.keys(input).length === 0
  return (
    <>
      {!(isEmpty && status === 'writing') && (
        <ToolPart name={text.conversation.inputHeading}>
          {isEmpty ? (
            <p className="text-sm text-faint">{text.conversation.noInput}</p>
          ) : (
            <JsonView value={input} />
          )}
        </ToolPart>
      )}
      <ToolOutputView item={item} />
    </>
  )
}

/** What came back, or what was reported so far. */
export function ToolOutputView({ item }: Pick<ToolBodyProps, 'item'>) {
  if (item.result) {
    return (
      <ToolPart name={text.conversation.outputHeading}>
        <ToolContent content={cleanBlocks(item.result.content)} />
      </ToolPart>
    )
  }
  const { progress } = item
  if (progress?.text === undefined || progress.text === '') return null
  return (
    <ToolPart name={text.conversation.progressHeading}>
      <ToolContent content={progress.text} />
    </ToolPart>
  )
}

/** A named part of an open card. */
export function ToolPart({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="min-w-0 pb-1">
      <h4 className="pt-1 text-xs font-medium text-faint">{name}</h4>
      {children}
    </section>
  )
}
