/** The agent's own questions (AskUserQuestion): numbers choose, other words answer freely. */
import { type Approval, isRecord } from '@dorkos/shared'
import type { Answer, AskContext } from './ask-approval.ts'
import { exactText, oneLine } from './escape.ts'
import { barred, hiddenWarning } from './render-approval.ts'
import type { Style } from './style.ts'

interface Question {
  question: string
  header: string | undefined
  options: { label: string; description: string | undefined }[]
  multiple: boolean
}

/** A lone `-` declines all of them. */
const decline = '-'

export async function askQuestions(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  const { asker, notify, style, signal } = context
  const answers: Record<string, string | string[]> = {}
  for (const question of readQuestions(approval.input)) {
    notify(renderQuestion(question, style))
    for (;;) {
      const line = await asker.ask(`${promptOf(question)} > `, { signal })
      if (line === undefined || line.trim() === '') return undefined
      if (line.trim() === decline) return { decision: 'deny' }
      const chosen = readChoice(question, line)
      if (chosen !== undefined) {
        answers[question.question] = chosen
        break
      }
      notify(`Type a number from 1 to ${question.options.length}, or your own answer.\n`)
    }
  }
  return Object.keys(answers).length === 0 ? { decision: 'deny' } : { decision: 'allow', answers }
}

function readQuestions(input: Record<string, unknown>): Question[] {
  const list = Array.isArray(input.questions) ? input.questions : []
  return list.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.question !== 'string' || entry.question === '') return []
    const options = Array.isArray(entry.options) ? entry.options : []
    return [
      {
        question: entry.question,
        header: typeof entry.header === 'string' ? entry.header : undefined,
        multiple: entry.multiSelect === true,
        options: options.flatMap((option: unknown) =>
          isRecord(option) && typeof option.label === 'string'
            ? [
                {
                  label: option.label,
                  description: typeof option.description === 'string' ? option.description : undefined,
                },
              ]
            : [],
        ),
      },
    ]
  })
}

/** Undefined for numbers that are not on the list. */
function readChoice(question: Question, line: string): string | string[] | undefined {
  const text = line.trim()
  const isNumbers = /^\d+(?:[\s,]+\d+)*$/.test(text) && question.options.length > 0
  if (!isNumbers) return text
  const numbers = [...new Set(text.split(/[\s,]+/).map(Number))]
  const labels = numbers.map((number) => question.options[number - 1]?.label)
  if (labels.some((label) => label === undefined)) return undefined
  const chosen = labels.filter((label) => label !== undefined)
  if (question.multiple) return chosen
  return chosen.length === 1 ? chosen[0] : undefined
}

function renderQuestion(question: Question, style: Style): string {
  const shown = [question.question, ...question.options.flatMap((option) => Object.values(option))]
  const warning = hiddenWarning(shown.join(''), style).map((line) => `${line}\n`)
  const text = barred(question.question, style).map((line) => `${style.bold(line)}\n`)
  return [...text, renderOptions(question), ...warning].join('')
}

function renderOptions({ options }: Question): string {
  return options
    .map(({ label, description }, index) => {
      const more = description === undefined ? '' : `: ${oneLine(exactText(description))}`
      return `  ${index + 1}  ${oneLine(exactText(label))}${more}\n`
    })
    .join('')
}

function promptOf({ options, multiple }: Question): string {
  const numbers = options.length === 0 ? '' : multiple ? 'numbers with commas, or ' : 'a number, or '
  return `${numbers}your own answer; ${decline} declines; Enter leaves it open`
}
