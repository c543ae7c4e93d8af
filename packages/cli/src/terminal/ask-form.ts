/** A form of an MCP server (elicitation): a flat list of fields, or a page to open. */
import { type Approval, type FormField, faultText, formFields, initialDraft, readField } from '@dorkos/shared'
import type { Answer, AskContext } from './ask-approval.ts'
import { exactText, oneLine } from './escape.ts'

export async function askForm(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  const { asker, notify, style, signal } = context
  const { server, message, url, schema } = approval.input
  notify(
    `${style.bold(`The MCP server ${oneLine(exactText(String(server)))} asks:`)} ${oneLine(exactText(String(message)))}\n` +
      (typeof url === 'string' ? `It wants you to open ${exactText(url)}\n` : ''),
  )
  const first = await asker.ask('[y] answer  [n] decline  [Enter] leave open > ', { signal })
  const word = first?.trim().toLowerCase()
  if (word === 'n') return { decision: 'deny' }
  if (word !== 'y') return undefined
  const answers: [string, unknown][] = []
  for (const field of formFields(schema)) {
    for (;;) {
      const line = await asker.ask(`${fieldPrompt(field)} > `, { signal })
      if (line === undefined) return undefined
      const read = readField(field, line.trim() === '' ? initialOf(field) : draftOf(field, line.trim()))
      if ('value' in read) {
        if (read.value !== undefined) answers.push([field.name, read.value])
        break
      }
      const { path } = read.fault
      notify(
        `${path === '' ? 'This' : oneLine(exactText(path))} ${oneLine(exactText(faultText(read.fault)))}.\n`,
      )
    }
  }
  return { decision: 'allow', answers: Object.fromEntries(answers) }
}

function initialOf(field: FormField): string {
  return initialDraft([field])[field.name] ?? ''
}

/** What was typed, as the form has it. Options go by their number or their words. */
function draftOf(field: FormField, typed: string): string {
  switch (field.kind) {
    case 'boolean':
      return /^(y|yes|true)$/i.test(typed) ? 'true' : /^(n|no|false)$/i.test(typed) ? 'false' : typed
    case 'choice':
      return optionIndex(field, typed)
    case 'choices':
      return typed
        .split(',')
        .map((one) => optionIndex(field, one.trim()))
        .join(',')
    case 'list':
      return typed.replaceAll(',', '\n')
    default:
      return typed
  }
}

function optionIndex({ options }: Extract<FormField, { kind: 'choice' | 'choices' }>, typed: string): string {
  const index = options.findIndex(({ label, value }) => label === typed || value === typed)
  return String(index >= 0 ? index : Number(typed) - 1)
}

function fieldPrompt(field: FormField): string {
  const { label, description, required } = field
  const initial = initialOf(field)
  const rest = initial !== '' ? `, Enter for ${shownInitial(field, initial)}` : required ? '' : ', optional'
  const title = label === field.name ? (description ?? label) : label
  return `${oneLine(exactText(title), 200)} (${hint(field)}${rest})`
}

function shownInitial(field: FormField, initial: string): string {
  if (field.kind !== 'choice' && field.kind !== 'choices') return oneLine(exactText(initial), 80)
  const labels = initial.split(',').map((index) => field.options[Number(index)]?.label ?? '')
  return oneLine(exactText(labels.join(', ')), 80)
}

function hint(field: FormField): string {
  switch (field.kind) {
    case 'choice':
    case 'choices': {
      const options = field.options.map(({ label }, index) => `${index + 1} ${oneLine(exactText(label))}`)
      return `${options.join(', ')}${field.kind === 'choices' ? '; separate several with commas' : ''}`
    }
    case 'boolean':
      return 'y or n'
    case 'number':
      return field.integer ? 'a whole number' : 'a number'
    case 'list':
      return 'separate several with commas'
    case 'json':
      return 'as JSON'
    case 'text':
      return field.format ?? 'text'
  }
}
