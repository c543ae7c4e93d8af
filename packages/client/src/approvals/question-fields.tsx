import { useId, useRef } from 'react'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { ScrollBox } from '../render/scroll-box.tsx'
import { text } from '../text/card-text.ts'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import { Input } from '../ui/field.tsx'
import { useStateUntil } from '../ui/use-state-until.ts'
import {
  chooseOther,
  hasPreviews,
  type Question,
  type QuestionDraft,
  type QuestionOption,
  writeOther,
} from './questions.ts'

interface QuestionFieldsProps {
  question: Question
  at: number
  /** Ties the radio buttons together. */
  name: string
  /** Its header is on a tab. */
  hasTab: boolean
  draft: QuestionDraft
  setDraft: (draft: QuestionDraft) => void
  /** An option was chosen, or taken back. `goesOn`: that may be all there is to say to this question. */
  onPick: (label: string, goesOn: boolean) => void
  disabled: boolean
}

/** One question with its options and room for one's own words. */
export function QuestionFields(props: QuestionFieldsProps) {
  const { question, hasTab, disabled } = props
  const hintId = useId()
  const t = text.approvals.question
  return (
    <fieldset disabled={disabled} aria-describedby={hintId} className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1 text-sm font-medium">
        {question.header && !hasTab && (
          <span className="mr-2 inline-block max-w-full align-bottom">
            <Badge tone="neutral">
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
      <Options {...props} />
    </fieldset>
  )
}

function Options({ question, at, name, draft, setDraft, onPick }: QuestionFieldsProps) {
  const choice = draft[at]
  const last = choice?.chosen.at(-1)
  // What one points at is shown until something else is chosen.
  const [pointed, setPointed] = useStateUntil<string | undefined>(choice?.chosen.join('\n') ?? '', undefined)
  const byArrow = useRef(false)
  const { options } = question
  const find = (label: string | undefined) => options.find((option) => option.label === label)
  const previewed = find(pointed) ?? find(last) ?? options.find(({ preview }) => preview !== undefined)
  const rows = options.map((option, index) => (
    <OptionRow
      key={option.label}
      option={option}
      number={index + 1}
      name={name}
      several={question.multiSelect}
      checked={choice?.chosen.includes(option.label) ?? false}
      onPoint={() => setPointed(option.label)}
      // Arrows choose on their way through the options.
      onChoose={() => onPick(option.label, !byArrow.current)}
    />
  ))
  return (
    <div className={cx('grid min-w-0 gap-3', hasPreviews(question) && 'lg:grid-cols-2')}>
      <div
        className="flex min-w-0 flex-col gap-2"
        onKeyDownCapture={({ key }) => {
          byArrow.current = key.startsWith('Arrow')
        }}
        onPointerDownCapture={() => {
          byArrow.current = false
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        {rows}
        <OwnWords question={question} at={at} name={name} draft={draft} setDraft={setDraft} />
      </div>
      {hasPreviews(question) && previewed && <OptionPreview option={previewed} />}
    </div>
  )
}

type OwnWordsProps = Pick<QuestionFieldsProps, 'question' | 'at' | 'name' | 'draft' | 'setDraft'>

function OwnWords({ question, at, name, draft, setDraft }: OwnWordsProps) {
  const choice = draft[at]
  const t = text.approvals.question
  return (
    <div className={cx(rowClass(choice?.otherOn ?? false), 'max-sm:flex-col sm:items-center')}>
      <label className="flex items-center gap-2 text-sm">
        <input
          type={question.multiSelect ? 'checkbox' : 'radio'}
          name={name}
          checked={choice?.otherOn ?? false}
          onChange={() => setDraft(chooseOther(draft, at, question))}
          className="size-4 shrink-0 accent-(--ink)"
        />
        <KeyNumber value={question.options.length + 1} />
        {t.other}
      </label>
      <Input
        dir="auto"
        data-own-words
        aria-label={t.otherLabel(question.question)}
        placeholder={t.otherPlaceholder}
        value={choice?.other ?? ''}
        onChange={(event) => setDraft(writeOther(draft, at, question, event.target.value))}
      />
    </div>
  )
}

interface OptionRowProps {
  option: QuestionOption
  number: number
  name: string
  several: boolean
  checked: boolean
  onPoint: () => void
  onChoose: () => void
}

function OptionRow({ option, number, name, several, checked, onPoint, onChoose }: OptionRowProps) {
  return (
    <label onPointerEnter={onPoint} className={cx(rowClass(checked), 'cursor-pointer items-start text-sm')}>
      <input
        type={several ? 'checkbox' : 'radio'}
        name={name}
        checked={checked}
        onFocus={onPoint}
        onChange={onChoose}
        className="mt-0.5 size-4 shrink-0 accent-(--ink)"
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
  )
}

function rowClass(checked: boolean): string {
  return cx(
    'flex gap-2 rounded-lg border px-3 py-2 max-sm:py-2.5',
    checked ? 'border-ink bg-raised' : 'border-line',
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

/** What an option would look like, in a place of its own: whichever is shown, nothing else moves. */
function OptionPreview({ option }: { option: QuestionOption }) {
  const t = text.approvals.question
  const label = t.previewOf(withVisibleControls(option.label))
  return (
    <div className="relative h-56 min-w-0 lg:h-auto lg:min-h-56">
      <div className="absolute inset-0 flex flex-col rounded-lg border border-line bg-ground">
        <p className="truncate border-b border-line px-3 py-1.5 text-xs text-soft" title={label}>
          <bdi>{label}</bdi>
        </p>
        {option.preview === undefined ? (
          <p className="p-3 text-xs text-soft">{t.noPreview}</p>
        ) : (
          <ScrollBox label={label} className="min-h-0 flex-1 overflow-auto p-3">
            <pre className="font-mono text-xs whitespace-pre">
              <SafeText text={option.preview} />
            </pre>
          </ScrollBox>
        )}
      </div>
    </div>
  )
}
