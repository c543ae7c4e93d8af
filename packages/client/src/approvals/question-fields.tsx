import { useId } from 'react'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/text.ts'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import { Input } from '../ui/field.tsx'
import {
  choose,
  chooseOther,
  type Option,
  type Question,
  type QuestionDraft,
  writeOther,
} from './questions.ts'

interface QuestionFieldsProps {
  question: Question
  at: number
  /** Ties the radio buttons together. */
  name: string
  draft: QuestionDraft
  setDraft: (draft: QuestionDraft) => void
  disabled: boolean
}

/** One question with its options and room for one's own words. */
export function QuestionFields({ question, at, name, draft, setDraft, disabled }: QuestionFieldsProps) {
  const hintId = useId()
  const choice = draft[at]
  const t = text.approvals.question
  return (
    <fieldset
      data-question={at}
      disabled={disabled}
      aria-describedby={hintId}
      className="flex min-w-0 flex-col gap-2"
    >
      <legend className="pb-1 text-sm font-medium">
        {question.header && (
          <span className="mr-2 inline-block max-w-full align-bottom">
            <Badge tone="accent">
              <bdi>{question.header}</bdi>
            </Badge>
          </span>
        )}
        <bdi className="break-words">
          <SafeText text={question.question} />
        </bdi>
      </legend>
      <p id={hintId} className="text-xs text-soft">
        {question.multiSelect ? t.chooseSeveral : t.chooseOne}
      </p>
      {question.options.map((option, index) => (
        <OptionRow
          key={option.label}
          option={option}
          number={index + 1}
          name={name}
          several={question.multiSelect}
          checked={choice?.chosen.includes(option.label) ?? false}
          onChoose={() => setDraft(choose(draft, at, question, option.label))}
        />
      ))}
      <div className={rowClass(choice?.otherOn ?? false)}>
        <label className="flex items-center gap-2 text-sm">
          <input
            type={question.multiSelect ? 'checkbox' : 'radio'}
            name={name}
            checked={choice?.otherOn ?? false}
            onChange={() => setDraft(chooseOther(draft, at, question))}
            className="size-4 shrink-0 accent-[var(--accent-fill)]"
          />
          <KeyNumber value={question.options.length + 1} />
          {t.other}
        </label>
        <Input
          dir="auto"
          aria-label={t.otherLabel(question.question)}
          placeholder={t.otherPlaceholder}
          value={choice?.other ?? ''}
          onChange={(event) => setDraft(writeOther(draft, at, question, event.target.value))}
        />
      </div>
    </fieldset>
  )
}

interface OptionRowProps {
  option: Option
  number: number
  name: string
  several: boolean
  checked: boolean
  onChoose: () => void
}

function OptionRow({ option, number, name, several, checked, onChoose }: OptionRowProps) {
  return (
    <div className={rowClass(checked)}>
      <label className="flex min-h-6 cursor-pointer items-start gap-2 text-sm">
        <input
          type={several ? 'checkbox' : 'radio'}
          name={name}
          checked={checked}
          onChange={onChoose}
          className="mt-0.5 size-4 shrink-0 accent-[var(--accent-fill)]"
        />
        <KeyNumber value={number} />
        <span dir="auto" className="min-w-0 flex-1 break-words">
          <span className="font-medium">
            <SafeText text={option.label} />
          </span>
          {option.description && (
            <span className="block text-xs text-soft">
              <SafeText text={option.description} />
            </span>
          )}
        </span>
      </label>
      {option.preview && (
        <details open={checked} className="text-xs">
          <summary className="text-soft">{text.approvals.question.preview}</summary>
          <pre className="mt-1 max-h-96 overflow-auto rounded-md bg-raised p-2 font-mono whitespace-pre">
            <SafeText text={option.preview} />
          </pre>
        </details>
      )}
    </div>
  )
}

function rowClass(checked: boolean): string {
  return cx(
    'flex flex-col gap-2 rounded-lg border px-3 py-2 max-sm:py-2.5',
    checked ? 'border-accent-fill bg-accent-ground/40' : 'border-line',
  )
}

function KeyNumber({ value }: { value: number }) {
  if (value > 9) return null
  return (
    <span aria-hidden className="w-3 shrink-0 font-mono text-xs leading-5 text-faint pointer-coarse:hidden">
      {value}
    </span>
  )
}
