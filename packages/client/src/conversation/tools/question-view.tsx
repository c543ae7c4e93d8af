import { sequence } from '../../render/sequence.ts'
import { text } from '../../text/text.ts'
import { GenericView } from './generic-view.tsx'
import { questionsOf } from './questions.ts'
import type { ToolBodyProps } from './tool-body.ts'

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
