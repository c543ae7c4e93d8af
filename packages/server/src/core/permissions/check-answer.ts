/** Whether an answer fits what was asked, and what it means for the agent. Pure; throws `AppError('invalid_request')`. */
import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalKind,
  dismissedForm,
  faultText,
  formFault,
  type Saying,
  say,
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
  if (interrupt && kind === 'elicitation') throw invalid('interrupt', say('answer_interrupts_form'))
  if (dismiss && kind !== 'elicitation') throw invalid('dismiss', say('answer_dismisses_other'))
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
    refuse(answer, ['answers', 'permission_mode'], 'tool')
    if (answer.scope !== 'once' && alwaysAskTools.has(question.tool))
      throw invalid('scope', say('answer_once_only', { tool: question.tool }))
    const input = answer.updated_input
    return {
      reply: { kind: 'allow', ...(input && { input }) },
      edited: input !== undefined,
      answer: undefined,
    }
  },

  question(question, answer) {
    refuse(answer, ['updated_input', 'permission_mode', 'scope'], 'question')
    if (!answer.answers || Object.keys(answer.answers).length === 0)
      throw invalid('answers', say('answer_without_answers'))
    const asked = questionTexts(question.input)
    const answers = Object.fromEntries(
      Object.entries(answer.answers).map(([text, chosen]) => {
        if (!asked.includes(text)) throw invalid('answers', say('answer_to_no_question', { question: text }))
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
    refuse(answer, ['answers', 'scope'], 'plan')
    const edit = answer.updated_input
    if (edit && (typeof edit.plan !== 'string' || Object.keys(edit).some((key) => key !== 'plan')))
      throw invalid('updated_input', say('answer_of_plan'))
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
    refuse(answer, ['updated_input', 'permission_mode', 'scope'], 'elicitation')
    const content = answer.answers ?? {}
    const fault = formFault(question.input.schema, content)
    if (fault) throw invalid('answers', say('answer_of_form', { path: fault.path, fault: faultText(fault) }))
    return { reply: { kind: 'allow', input: content }, edited: false, answer: content }
  },
}

function refuse(answer: Allow, fields: (keyof Allow)[], kind: ApprovalKind): void {
  const present = fields.find((field) =>
    field === 'scope' ? answer.scope !== 'once' : answer[field] !== undefined,
  )
  if (present) throw invalid(present, say('answer_field_unused', { field: present, kind }))
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
  if (!fits || choices.length === 0) throw invalid('answers', say('answer_not_text', { question }))
  return choices.join(', ')
}

function invalid(path: string, why: Saying): AppError {
  return new AppError('invalid_request', say('answer_invalid', { why }), {
    details: [{ path, message: why.message }],
  })
}
