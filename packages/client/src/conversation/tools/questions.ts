/** The questions of an `AskUserQuestion` call with the answers that were given, wherever they are recorded. */
import type { ToolItem } from '../../live/page-session.ts'
import { textOf } from '../../live/untrusted-field.ts'
import { fields } from './result-parts.ts'
import { inputOf } from './tool-title.ts'

export interface AnsweredQuestion {
  question: string
  answers: readonly string[]
}

export function questionsOf(
  item: Pick<ToolItem, 'input' | 'inputJson' | 'decision' | 'result'>,
): AnsweredQuestion[] {
  const asked = inputOf(item).questions
  if (!Array.isArray(asked)) return []
  const decided = fields(item.decision?.answer)
  const given = { ...fields(fields(item.result?.detail).answers), ...decided, ...fields(decided.answers) }
  return asked.slice(0, 20).map((one) => {
    const question = textOf(fields(one).question) ?? ''
    return { question, answers: answersOf(given[question]) }
  })
}

function answersOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string')
  return typeof value === 'string' && value !== '' ? [value] : []
}
