/** A form of an MCP server (elicitation): a flat list of fields, or a page to open. */
import type { Approval } from '@dorkos/shared'
import type { Answer, AskContext } from './ask-approval.ts'
import { exactText, oneLine } from './escape.ts'

export interface FormField {
  name: string
  type: string
  title: string
  choices: string[]
  required: boolean
}

export async function askForm(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  const { asker, tell, style, signal } = context
  const { server, message, url, schema } = approval.input
  tell(
    `${style.bold(`The MCP server ${oneLine(exactText(String(server)))} asks:`)} ${oneLine(exactText(String(message)))}\n` +
      (typeof url === 'string' ? `It wants you to open ${exactText(url)}\n` : ''),
  )
  const first = await asker.ask('[y] answer  [n] decline  [Enter] leave open > ', { signal })
  const word = first?.trim().toLowerCase()
  if (word === 'n') return { decision: 'deny' }
  if (word !== 'y') return undefined
  const answers: Record<string, unknown> = {}
  for (const field of readFields(schema)) {
    for (;;) {
      const line = await asker.ask(`${fieldPrompt(field)} > `, { signal })
      if (line === undefined) return undefined
      const read = readField(field, line.trim())
      if (read.fault === undefined) {
        if (read.value !== undefined) answers[field.name] = read.value
        break
      }
      tell(`${read.fault}\n`)
    }
  }
  return { decision: 'allow', answers }
}

export function readFields(schema: unknown): FormField[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    isRecord(property)
      ? [
          {
            name,
            type: typeof property.type === 'string' ? property.type : 'string',
            title: String(property.title ?? property.description ?? name),
            choices: Array.isArray(property.enum) ? property.enum.map(String) : [],
            required: required.includes(name),
          },
        ]
      : [],
  )
}

/** The value of what was typed; nothing typed leaves out a field that is not required. */
export function readField(field: FormField, text: string): { value?: unknown; fault?: string } {
  if (text === '') return field.required ? { fault: 'This is needed.' } : {}
  if (field.choices.length > 0) {
    const chosen = field.choices.find((choice) => choice === text) ?? field.choices[Number(text) - 1]
    return chosen === undefined ? { fault: 'Please choose one of them.' } : { value: chosen }
  }
  switch (field.type) {
    case 'boolean':
      if (/^(y|yes|true)$/i.test(text)) return { value: true }
      return /^(n|no|false)$/i.test(text) ? { value: false } : { fault: 'Please type y or n.' }
    case 'integer':
      return /^-?\d+$/.test(text) ? { value: Number(text) } : { fault: 'Please type a whole number.' }
    case 'number':
      return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: 'Please type a number.' }
    default:
      return { value: text }
  }
}

function fieldPrompt({ title, type, choices, required }: FormField): string {
  const values = choices.map((choice, index) => `${index + 1} ${oneLine(exactText(choice))}`).join(', ')
  const hint = choices.length > 0 ? values : type === 'boolean' ? 'y or n' : type
  return `${oneLine(exactText(title), 200)} (${hint}${required ? '' : ', can be left out'})`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
