/** A subagent: what it was asked, what it does, and its answer. */
import { MessageSquare } from 'lucide-react'
import { textOf } from '../../live/untrusted-field.ts'
import { Markdown } from '../../render/markdown.tsx'
import { text } from '../../text/text.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { useOpened } from '../conversation-context.tsx'
import { ToolPart } from './generic-view.tsx'
import { NestedItems } from './nested-items.tsx'
import { fields, resultText } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { inputOf } from './tool-title.ts'

export function AgentView({ item, status }: ToolBodyProps) {
  const prompt = textOf(inputOf(item).prompt)
  const answer = answerOf(item)
  const opened = useOpened(`${item.key}:prompt`)
  return (
    <>
      {prompt !== undefined && prompt !== '' && (
        <Disclosure
          icon={MessageSquare}
          label={text.conversation.subagentPrompt}
          opened={opened}
          bodyClassName="mb-1 ml-2 max-h-80 overflow-y-auto border-l-2 border-line pl-4 text-sm text-soft"
        >
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {prompt}
          </p>
        </Disclosure>
      )}
      {item.children.length > 0 && (
        <div className="my-1 border-l-2 border-line pl-3">
          <NestedItems itemKey={item.key} items={item.children} />
        </div>
      )}
      {answer !== '' && status !== 'running' && (
        <ToolPart name={text.conversation.subagentResult}>
          <Markdown text={answer} />
        </ToolPart>
      )}
    </>
  )
}

/** What the CLI returns for one in the background speaks to the model, not to people. */
function answerOf({ subagent, result, children }: ToolBodyProps['item']): string {
  const isAsync = fields(result?.detail).isAsync === true
  const answer = subagent?.summary ?? (isAsync ? '' : resultText(result))
  const last = children.findLast((child) => child.kind === 'text')
  // It stands right above already.
  return last !== undefined && last.kind === 'text' && last.text.trim() === answer.trim() ? '' : answer
}
