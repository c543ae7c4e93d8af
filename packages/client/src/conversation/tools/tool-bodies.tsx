/** What tool calls show when they are opened: fetched together, after the first look. The longer ones have files of their own. */

import { CallTask } from '../../commands/call-task.tsx'
import { numberOf, textOf } from '../../live/untrusted-field.ts'
import { Code } from '../../render/code.tsx'
import { languageOfFile } from '../../render/languages.ts'
import { Markdown } from '../../render/markdown.tsx'
import { SafeText } from '../../render/safe-text.tsx'
import { sequence } from '../../render/sequence.ts'
import { Terminal } from '../../render/terminal.tsx'
import { text } from '../../text/text.ts'
import { TodoList } from '../todo-list.tsx'
import { GenericView, ToolOutputView, ToolPart } from './generic-view.tsx'
import { questionsOf } from './questions.ts'
import { commandResult, fields, resultText } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { inputOf } from './tool-title.ts'

export { AgentView } from './agent-view.tsx'
export { EditView } from './edit-view.tsx'
export { GenericView } from './generic-view.tsx'
export { SearchView } from './search-view.tsx'

export function BashView({ item, status }: ToolBodyProps) {
  const input = inputOf(item)
  const description = textOf(input.description)
  const { output, exitCode, background } = commandResult(item.result)
  const isRefused = status === 'denied' || status === 'expired' || status === 'void'
  const shown = item.result === undefined ? item.progress?.text : isRefused ? undefined : output
  return (
    <>
      {(description || background) && (
        <p dir="auto" className="text-sm text-soft [overflow-wrap:anywhere]">
          {[description, background ? text.conversation.inBackground : ''].filter(Boolean).join(' · ')}
        </p>
      )}
      <Terminal
        command={textOf(input.command) ?? ''}
        output={background && shown === '' ? undefined : shown}
        exitCode={isRefused ? undefined : exitCode}
        running={status === 'running' || status === 'writing'}
      />
      <CallTask callId={item.callId} />
    </>
  )
}

/** What was read, coloured as the file it is. */
export function ReadView({ item }: ToolBodyProps) {
  const file = fields(fields(item.result?.detail).file)
  const content = textOf(file.content)
  if (item.result?.isError !== false || content === undefined) return <ToolOutputView item={item} />
  const from = numberOf(file.startLine) ?? 1
  const count = numberOf(file.numLines)
  const all = numberOf(file.totalLines)
  const isPart = count !== undefined && all !== undefined && count < all
  return (
    <>
      <Code text={content} language={languageOfFile(textOf(file.filePath) ?? '')} />
      <p className="text-xs text-faint">
        {isPart && `${text.conversation.linesFrom(from, from + count - 1)} · `}
        {all !== undefined && text.conversation.lines(all)}
      </p>
    </>
  )
}

/** A page that was fetched, or a search of the web: what was asked, and the answer as it was written. */
export function WebView({ item }: ToolBodyProps) {
  const input = inputOf(item)
  const asked = [textOf(input.url), textOf(input.query), textOf(input.prompt)].filter((one) => one)
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
        <ToolOutputView item={item} />
      )}
    </>
  )
}

/** The list that the call wrote; a call about one task is shown as it is. */
export function TodoView({ item, status }: ToolBodyProps) {
  const { todos } = inputOf(item)
  if (!Array.isArray(todos)) return <GenericView item={item} status={status} />
  const list = todos.slice(0, 200).map((todo) => {
    const { content, status: state } = fields(todo)
    return { content: textOf(content) ?? '', status: textOf(state) ?? 'pending' }
  })
  return <TodoList todos={list} />
}

export function PlanView({ item, status }: ToolBodyProps) {
  const plan = textOf(inputOf(item).plan) ?? textOf(fields(item.result?.detail).plan)
  if (plan === undefined) return <GenericView item={item} status={status} />
  return (
    <div className="py-1">
      <Markdown text={plan} streaming={status === 'writing'} />
    </div>
  )
}

/** What was asked, and what was chosen. */
export function QuestionView({ item, status }: ToolBodyProps) {
  const questions = questionsOf(item)
  if (questions.length === 0) return <GenericView item={item} status={status} />
  const isOver = status !== 'writing' && status !== 'waiting' && status !== 'running'
  return (
    <dl className="flex flex-col gap-2 py-1 text-sm">
      {sequence(questions, ({ question, answers }) => (
        <div>
          <dt dir="auto" className="text-soft [overflow-wrap:anywhere]">
            {question}
          </dt>
          <dd dir="auto" className="font-medium [overflow-wrap:anywhere]">
            {answers.length > 0
              ? answers.join(', ')
              : isOver && <span className="text-faint">{text.conversation.noAnswer}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
