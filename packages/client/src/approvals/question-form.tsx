import { useMemo, useState } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { useDraft } from './approval-draft.ts'
import { CallBody } from './call-body.tsx'
import { focusPlace } from './card-keys.ts'
import { DeclinePanel } from './decline-panel.tsx'
import { QuestionFields } from './question-fields.tsx'
import {
  answersOf,
  choose,
  chooseOther,
  currentQuestion,
  emptyDraft,
  isQuestionDraft,
  parseQuestions,
  type Question,
} from './questions.ts'
import { useCardKeys } from './use-card-keys.ts'

export function QuestionForm(form: AnswerFormProps) {
  const { approval } = form
  const questions = useMemo(() => parseQuestions(approval.input), [approval.input])
  if (questions) return <KnownQuestions {...form} questions={questions} />
  return (
    <>
      <CallBody approval={approval} />
      <Notice tone="warn">{text.approvals.question.unreadable}</Notice>
      <DeclinePanel {...form} />
    </>
  )
}

function KnownQuestions({ questions, ...form }: AnswerFormProps & { questions: Question[] }) {
  const { approval, send, isBusy, disabled, arming } = form
  const [draft, setDraft] = useDraft(
    approval.id,
    'choices',
    emptyDraft(questions),
    isQuestionDraft(questions.length),
  )
  const [declines, setDeclines] = useState(false)
  const { answers, done } = answersOf(questions, draft)
  const t = text.approvals.question
  const n = questions.length
  const submit = () => {
    if (done > 0 && !isBusy && !disabled) send({ decision: 'allow', scope: 'once', answers })
  }
  const onKey = (event: globalThis.KeyboardEvent, card: HTMLElement) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return submit()
    const place = focusPlace(event.target, card)
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : undefined
    if (digit === undefined || place === 'field' || event.ctrlKey || event.metaKey || event.altKey)
      return false
    const at = focusedQuestion(event.target) ?? currentQuestion(questions, draft)
    const question = questions[at]
    if (!question || digit > question.options.length + 1) return false
    const option = question.options[digit - 1]
    setDraft(option ? choose(draft, at, question, option.label) : chooseOther(draft, at, question))
  }
  const ref = useCardKeys(onKey)
  return (
    <div ref={ref} className="flex min-w-0 flex-col gap-4">
      {questions.map((question, at) => (
        <QuestionFields
          key={question.question}
          question={question}
          at={at}
          name={`${approval.id}-${at}`}
          draft={draft}
          setDraft={setDraft}
          disabled={disabled || isBusy}
        />
      ))}
      {declines ? (
        <DeclinePanel {...form} onClose={() => setDeclines(false)} />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <AllowButton
            arming={arming}
            variant="primary"
            busy={isBusy}
            disabled={disabled || done === 0}
            onClick={submit}
          >
            {done > 0 && done < n ? t.sendSome(done, n) : n > 1 ? t.sendAll : t.send}
          </AllowButton>
          <Button variant="ghost" disabled={disabled || isBusy} onClick={() => setDeclines(true)}>
            {t.decline}
          </Button>
          {n > 1 && (
            <span role="status" className="text-xs text-soft">
              {t.progress(done, n)}
            </span>
          )}
        </div>
      )}
      {!disabled && (
        <p className="text-xs text-faint pointer-coarse:hidden">{text.approvals.card.keysQuestion}</p>
      )}
    </div>
  )
}

/** The place of the question in which the focus is. */
function focusedQuestion(target: EventTarget | null): number | undefined {
  const place =
    target instanceof Element ? target.closest<HTMLElement>('[data-question]')?.dataset.question : undefined
  return place === undefined ? undefined : Number(place)
}
