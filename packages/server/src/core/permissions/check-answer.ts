/** Whether an answer fits what was asked, and what it means for the agent. Pure; throws `AppError('invalid_request')`. */
import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalKind,
  dismissedForm,
  faultText,
  formFault,
  standardDenials,
} from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { AgentReply } from './agent-reply.ts'
import { alwaysAskTools } from './tool-names.ts'

type Allow = Extract<ApprovalAnswer, { decision: 'allow' }>
type Deny = Extract<ApprovalAnswer, { decision: 'deny' }>
type Question = Pick<Approval, 'kind' | 'tool' | 'input'>

export interface CheckedAnswer {
  reply: AgentReply
  /** The input that runs is not the one that was asked about. */
  edited: boolean
  /** What was answered to a question or form, for the record. */
  answer: Record<string, unknown> | undefined
}

export function checkAnswer(question: Question, answer: ApprovalAnswer): CheckedAnswer {
  if (answer.decision === 'allow') return allowed[question.kind](question, answer)
  return { reply: denied(question, answer), edited: false, answer: undefined }
}

function denied({ kind }: Question, answer: Deny): AgentReply {
  const { interrupt, dismiss } = answer
  if (interrupt && kind === 'elicitation')
    throw invalid(
      'interrupt',
      'the server that sent a form cannot be told to stop the turn; interrupt the session',
    )
  if (dismiss && kind !== 'elicitation')
    throw invalid('dismiss', 'only a form can be closed without an answer')
  const standard = dismiss ? dismissedForm : standardDenials[kind]
  return {
    kind: 'deny',
    message: answer.message?.trim() || standard,
    declined: !dismiss,
    ...(interrupt && { interrupt: true }),
  }
}

const allowed: Record<ApprovalKind, (question: Question, answer: Allow) => CheckedAnswer> = {
  tool(question, answer) {
    refuse(answer, ['answers', 'permission_mode'], 'a tool call')
    if (answer.scope !== 'once' && alwaysAskTools.has(question.tool))
      throw invalid('scope', `${question.tool} is asked about each time: it can only be allowed once`)
    const input = answer.updated_input
    return {
      reply: { kind: 'allow', ...(input && { input }) },
      edited: input !== undefined,
      answer: undefined,
    }
  },

  question(question, answer) {
    refuse(answer, ['updated_input', 'permission_mode', 'scope'], 'a question')
    if (!answer.answers || Object.keys(answer.answers).length === 0)
      throw invalid('answers', 'a question is answered with `answers`, by the text of each question')
    const asked = questionTexts(question.input)
    const answers = Object.fromEntries(
      Object.entries(answer.answers).map(([text, chosen]) => {
        if (!asked.includes(text)) throw invalid('answers', `there is no question ${JSON.stringify(text)}`)
        return [text, asText(text, chosen)]
      }),
    )
    return {
      reply: { kind: 'allow', input: { ...question.input, answers } },
      edited: false,
      answer: answer.answers,
    }
  },

  plan(question, answer) {
    refuse(answer, ['answers', 'scope'], 'a plan')
    const edit = answer.updated_input
    if (edit && (typeof edit.plan !== 'string' || Object.keys(edit).some((key) => key !== 'plan')))
      throw invalid('updated_input', 'of a plan only `plan` can be edited, and it is text')
    return {
      reply: {
        kind: 'allow',
        ...(edit && { input: { ...question.input, plan: edit.plan } }),
        ...(answer.permission_mode && { permissionMode: answer.permission_mode }),
      },
      edited: edit !== undefined,
      answer: undefined,
    }
  },

  elicitation(question, answer) {
    refuse(answer, ['updated_input', 'permission_mode', 'scope'], 'a form')
    const content = answer.answers ?? {}
    const fault = formFault(question.input.schema, content)
    if (fault) throw invalid('answers', `\`${fault.path}\` ${faultText(fault)}`)
    return { reply: { kind: 'allow', input: content }, edited: false, answer: content }
  },
}

function refuse(answer: Allow, fields: (keyof Allow)[], what: string): void {
  const present = fields.find((field) =>
    field === 'scope' ? answer.scope !== 'once' : answer[field] !== undefined,
  )
  if (present) throw invalid(present, `\`${present}\` means nothing in the answer to ${what}`)
}

function questionTexts(input: Record<string, unknown>): string[] {
  if (!Array.isArray(input.questions)) return []
  return input.questions
    .map((entry: unknown) =>
      typeof entry === 'object' && entry !== null && 'question' in entry ? entry.question : '',
    )
    .filter((text): text is string => typeof text === 'string' && text !== '')
}

/** The CLI takes one text a question; several choices are joined as its own page does it. */
function asText(question: string, chosen: unknown): string {
  const choices = Array.isArray(chosen) ? chosen : [chosen]
  const fits = choices.every((choice) => typeof choice === 'string' && choice.trim() !== '')
  if (!fits || choices.length === 0)
    throw invalid('answers', `the answer to ${JSON.stringify(question)} must be a text, or a list of texts`)
  return choices.join(', ')
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_request', `The answer does not fit: ${message}.`, {
    details: [{ path, message }],
  })
}
