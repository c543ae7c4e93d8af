import { Circle, CircleCheck } from 'lucide-react'
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Tabs } from '../ui/tabs.tsx'
import { isAnswered, type Question, type QuestionDraft } from './questions.ts'

interface QuestionTabsProps {
  questions: readonly Question[]
  draft: QuestionDraft
  shown: number
  setShown: (at: number) => void
  fields: (question: Question, at: number) => ReactNode
}

/** One question at a time, so that the way on to send them is never far. A single one needs no tab. */
export function QuestionTabs({ questions, draft, shown, setShown, fields }: QuestionTabsProps) {
  const along = useFocusAlong(shown)
  const [only] = questions
  if (only && questions.length === 1) return fields(only, 0)
  const tabs = questions.map((question, at) => ({
    value: String(at),
    label: <TabLabel question={question} at={at} answered={isAnswered(question, draft[at])} />,
    content: fields(question, at),
  }))
  return (
    <div {...along} className="min-w-0">
      <Tabs
        label={text.approvals.question.tabs}
        value={String(shown)}
        onChange={(value) => setShown(Number(value))}
        tabs={tabs}
      />
    </div>
  )
}

/** The choice that had the focus goes with its question: the tab of the next one gets it, so that keys go on. */
function useFocusAlong(shown: number) {
  const part = useRef<HTMLDivElement>(null)
  const had = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the change of what is shown.
  useLayoutEffect(() => {
    if (!had.current || document.activeElement?.matches('[role="tab"]')) return
    part.current
      ?.querySelector<HTMLElement>('[role="tab"][data-state="active"]')
      ?.focus({ preventScroll: true })
  }, [shown])
  const watch = {
    onFocus: () => {
      had.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      had.current = part.current?.contains(relatedTarget) ?? false
    },
  }
  return { ref: part, ...watch }
}

function TabLabel({ question, at, answered }: { question: Question; at: number; answered: boolean }) {
  const t = text.approvals.question
  const name = withVisibleControls(question.header ?? t.tab(at + 1))
  const Icon = answered ? CircleCheck : Circle
  return (
    <span className="flex items-center gap-1.5">
      <Icon aria-hidden size={14} className={answered ? 'shrink-0 text-ok' : 'shrink-0 text-faint'} />
      <bdi title={question.question} className="max-w-40 truncate">
        {name}
      </bdi>
      {answered && <span className="sr-only">{t.answered}</span>}
    </span>
  )
}
