/** The questions of `AskUserQuestion`, what is chosen so far, and the answer made of it. Pure; the input is the model's. */
import { isRecord } from '@dorkos/shared'

export interface QuestionOption {
  label: string
  description: string | undefined
  preview: string | undefined
}

export interface Question {
  question: string
  header: string | undefined
  multiSelect: boolean
  options: QuestionOption[]
}

/** By the question's index. `other` counts while `otherOn`. */
interface Choice {
  chosen: string[]
  otherOn: boolean
  other: string
}

export type QuestionDraft = Choice[]

const mostQuestions = 20
const mostOptions = 50

/** Undefined where the input is no list of questions. */
export function parseQuestions(input: Readonly<Record<string, unknown>>): Question[] | undefined {
  if (!Array.isArray(input.questions)) return undefined
  const seen = new Set<string>()
  const questions = input.questions.slice(0, mostQuestions).flatMap((entry: unknown): Question[] => {
    if (!isRecord(entry) || typeof entry.question !== 'string' || entry.question === '') return []
    // Answers are given by the question's text, so a second one of the same words is the first.
    if (seen.has(entry.question)) return []
    seen.add(entry.question)
    const options = Array.isArray(entry.options)
      ? entry.options.slice(0, mostOptions).flatMap(parseOption)
      : []
    const labels = new Set<string>()
    return [
      {
        question: entry.question,
        header: textOf(entry.header),
        multiSelect: entry.multiSelect === true,
        options: options.filter(({ label }) => !labels.has(label) && labels.add(label)),
      },
    ]
  })
  return questions.length === 0 ? undefined : questions
}

function parseOption(entry: unknown): QuestionOption[] {
  if (typeof entry === 'string' && entry.trim() !== '')
    return [{ label: entry, description: undefined, preview: undefined }]
  if (!isRecord(entry) || typeof entry.label !== 'string' || entry.label.trim() === '') return []
  return [{ label: entry.label, description: textOf(entry.description), preview: textOf(entry.preview) }]
}

export function emptyDraft(questions: readonly Question[]): QuestionDraft {
  return questions.map(() => ({ chosen: [], otherOn: false, other: '' }))
}

/** Chooses an option, or takes it back where several may be chosen. */
export function choose(draft: QuestionDraft, at: number, question: Question, label: string): QuestionDraft {
  return change(draft, at, (choice) => {
    if (!question.multiSelect) return { ...choice, chosen: [label], otherOn: false }
    const has = choice.chosen.includes(label)
    const chosen = has ? choice.chosen.filter((one) => one !== label) : [...choice.chosen, label]
    return { ...choice, chosen }
  })
}

/** Switches one's own words on (or, where several may be chosen, off again). */
export function chooseOther(draft: QuestionDraft, at: number, question: Question): QuestionDraft {
  return change(draft, at, (choice) =>
    question.multiSelect ? { ...choice, otherOn: !choice.otherOn } : { ...choice, chosen: [], otherOn: true },
  )
}

export function writeOther(
  draft: QuestionDraft,
  at: number,
  question: Question,
  other: string,
): QuestionDraft {
  return change(draft, at, (choice) => ({
    ...choice,
    other,
    otherOn: true,
    chosen: question.multiSelect ? choice.chosen : [],
  }))
}

function change(draft: QuestionDraft, at: number, next: (choice: Choice) => Choice): QuestionDraft {
  return draft.map((choice, index) => (index === at ? next(choice) : choice))
}

/** The answer to one question: a text, or several where that is asked. Undefined: none yet. */
function answerTo(
  { multiSelect, options }: Question,
  choice: Choice | undefined,
): string | string[] | undefined {
  if (!choice) return undefined
  const other = choice.otherOn ? choice.other.trim() : ''
  // In the order in which they were offered.
  const chosen = options.map(({ label }) => label).filter((label) => choice.chosen.includes(label))
  const all = other === '' ? chosen : [...chosen, other]
  if (all.length === 0) return undefined
  return multiSelect ? all : all.at(-1)
}

export interface QuestionAnswers {
  answers: Record<string, string | string[]>
  done: number
}

export function answersOf(questions: readonly Question[], draft: QuestionDraft): QuestionAnswers {
  const entries = questions.flatMap((question, index) => {
    const answer = answerTo(question, draft[index])
    return answer === undefined ? [] : [[question.question, answer] as const]
  })
  return { answers: Object.fromEntries(entries), done: entries.length }
}

export function isAnswered(question: Question, choice: Choice | undefined): boolean {
  return answerTo(question, choice) !== undefined
}

export function hasPreviews({ options }: Question): boolean {
  return options.some(({ preview }) => preview !== undefined)
}

/** The first question without an answer; the last when all have one. */
export function currentQuestion(questions: readonly Question[], draft: QuestionDraft): number {
  const open = questions.findIndex((question, index) => !isAnswered(question, draft[index]))
  return open < 0 ? questions.length - 1 : open
}

/**
 * Where to go on after a choice in the question at `at`: the next one without an answer. It stays where more can be chosen, and where
 * choosing is also how one views an option.
 */
export function nextQuestion(questions: readonly Question[], draft: QuestionDraft, at: number): number {
  const question = questions[at]
  if (!question || question.multiSelect || hasPreviews(question)) return at
  const open = questions.flatMap((one, index) => (isAnswered(one, draft[index]) ? [] : [index]))
  return open.find((index) => index > at) ?? open[0] ?? at
}

export function isQuestionDraft(questions: number): (value: unknown) => value is QuestionDraft {
  return (value): value is QuestionDraft =>
    Array.isArray(value) &&
    value.length === questions &&
    value.every(
      (choice: unknown) =>
        isRecord(choice) &&
        Array.isArray(choice.chosen) &&
        choice.chosen.every((label: unknown) => typeof label === 'string') &&
        typeof choice.otherOn === 'boolean' &&
        typeof choice.other === 'string',
    )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
