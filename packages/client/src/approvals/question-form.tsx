import { useMemo, useState } from 'react'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { useApprovalDraft } from './approval-draft.ts'
import { CallBody } from './call-body.tsx'
import { focusOwnWords } from './card-focus.ts'
import { focusedPart, useCardKeys } from './card-keys.ts'
import { MessagePanel } from './message-panel.tsx'
import { QuestionFields } from './question-fields.tsx'
import { QuestionTabs } from './question-tabs.tsx'
import {
  answersOf,
  choose,
  chooseOther,
  currentQuestion,
  emptyDraft,
  isQuestionDraft,
  nextQuestion,
  parseQuestions,
  type Question,
} from './questions.ts'

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
  const { approval, send, isBusy, disabled } = form
  const [draft, setDraft] = useApprovalDraft(
    approval.id,
    'choices',
    emptyDraft(questions),
    isQuestionDraft(questions.length),
  )
  const [shown, setShown] = useState(() => currentQuestion(questions, draft))
  const [declines, setDeclines] = useState(false)
  const { answers, done } = answersOf(questions, draft)
  const n = questions.length
  const off = disabled || isBusy
  const submit = () => {
    if (done > 0 && !off) send({ decision: 'allow', scope: 'once', answers })
  }
  const pick = (question: Question, label: string, goesOn: boolean) => {
    const next = choose(draft, shown, question, label)
    setDraft(next)
    if (goesOn) setShown(nextQuestion(questions, next, shown))
  }
  const ref = useCardKeys((event, card) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return submit()
    if (off || event.ctrlKey || event.metaKey || event.altKey) return false
    if (focusedPart(event.target, card) === 'field') return false
    const step = stepOf(event)
    if (step !== 0 && n > 1) return setShown(Math.min(Math.max(shown + step, 0), n - 1))
    const question = questions[shown]
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : undefined
    if (!question || digit === undefined || digit > question.options.length + 1) return false
    const option = question.options[digit - 1]
    if (option) return pick(question, option.label, true)
    setDraft(chooseOther(draft, shown, question))
    focusOwnWords(card)
  })
  const fields = (question: Question, at: number) => (
    <QuestionFields
      question={question}
      at={at}
      name={`${approval.id}-${at}`}
      hasTab={n > 1}
      draft={draft}
      setDraft={setDraft}
      onPick={(label, goesOn) => pick(question, label, goesOn)}
      disabled={off}
    />
  )
  return (
    <div ref={ref} className="flex min-w-0 flex-col gap-3">
      <QuestionTabs questions={questions} draft={draft} shown={shown} setShown={setShown} fields={fields} />
      {declines ? (
        <DeclinePanel {...form} onClose={() => setDeclines(false)} />
      ) : (
        <SendRow {...form} done={done} of={n} onSend={submit} onDecline={() => setDeclines(true)} />
      )}
      {!disabled && (
        <p className="text-xs text-faint pointer-coarse:hidden">
          {n > 1 ? text.approvals.card.keysQuestions : text.approvals.card.keysQuestion}
        </p>
      )}
    </div>
  )
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Arrows go from question to question, unless they mean something where they are pressed. */
function stepOf({ key, target }: KeyboardEvent): 1 | -1 | 0 {
  const isTaken =
    target instanceof Element && target.closest('[role="tab"], [role="group"][tabindex], input[type="radio"]')
  return isTaken ? 0 : (steps[key] ?? 0)
}

interface SendRowProps extends AnswerFormProps {
  done: number
  of: number
  onSend: () => void
  onDecline: () => void
}

function SendRow({ done, of, onSend, onDecline, isBusy, disabled, arming }: SendRowProps) {
  const t = text.approvals.question
  if (disabled) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AllowButton
        arming={arming}
        variant="primary"
        busy={isBusy}
        reason={done === 0 ? t.needsChoice : undefined}
        onClick={onSend}
      >
        {done > 0 && done < of ? t.sendSome(done, of) : of > 1 ? t.sendAll : t.send}
      </AllowButton>
      <Button variant="ghost" disabled={isBusy} onClick={onDecline}>
        {t.decline}
      </Button>
      {of > 1 && (
        <span role="status" className="text-xs text-soft">
          {t.progress(done, of)}
        </span>
      )}
    </div>
  )
}

/** Gives no answer to a question; with words, if one likes. */
function DeclinePanel({ onClose, ...form }: AnswerFormProps & { onClose?: () => void }) {
  const t = text.approvals.question
  return (
    <MessagePanel
      {...form}
      label={t.declineLabel}
      placeholder={t.declinePlaceholder}
      action={t.declineSend}
      rows={2}
      takesFocus={onClose !== undefined}
      onClose={onClose}
    />
  )
}
