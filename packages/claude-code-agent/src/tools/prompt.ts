/** Prompts that an in-process server offers. */
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import { InvalidContent, type ToolContentBlock, toContentBlock } from './content-block.ts'
import { describe } from './json-value.ts'
import type { JsonObject } from './schema-check.ts'

export interface PromptContext {
  readonly sessionId: string
  readonly signal: AbortSignal
}

export interface PromptArgument {
  name: string
  description?: string
  required?: boolean
}

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: string | ToolContentBlock
}

/** A bare string is one message of the user's. */
export type PromptReturn =
  | string
  | readonly PromptMessage[]
  | { messages: readonly PromptMessage[]; description?: string }

export interface SdkPrompt {
  name: string
  title?: string
  description?: string
  arguments?: readonly PromptArgument[]
  get(args: Record<string, string>, context: PromptContext): PromptReturn | Promise<PromptReturn>
}

export interface CompiledPrompt {
  name: string
  description: string | undefined
  /** The entry of `prompts/list`. */
  entry: JsonObject
  required: readonly string[]
  get: SdkPrompt['get']
}

/** Throws ToolDefinitionError, naming the prompt. */
export function compilePrompt(prompt: SdkPrompt): CompiledPrompt {
  if (!isRecord(prompt) || typeof prompt.name !== 'string' || prompt.name === '') {
    throw new ToolDefinitionError(
      `A prompt needs a name, got ${describe(isRecord(prompt) ? prompt.name : prompt)}`,
    )
  }
  const { name, title, description } = prompt
  if (typeof prompt.get !== 'function') {
    throw new ToolDefinitionError(`Prompt '${name}': get must be a function, got ${describe(prompt.get)}`)
  }
  const list = (prompt.arguments ?? []).map((argument) => compileArgument(argument, name))
  const entry = Object.fromEntries(
    Object.entries({ name, title, description, arguments: list.length > 0 ? list : undefined }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const required = list.filter((argument) => argument.required === true).map((argument) => argument.name)
  return { name, description, entry, required, get: (args, context) => prompt.get(args, context) }
}

function compileArgument(argument: PromptArgument, prompt: string): PromptArgument {
  if (!isRecord(argument) || typeof argument.name !== 'string' || argument.name === '') {
    throw new ToolDefinitionError(`Prompt '${prompt}': each argument needs a name`)
  }
  return { ...argument }
}

/** The result of `prompts/get`. Throws InvalidContent. */
export function toPromptResult(returned: unknown, description: string | undefined): JsonObject {
  const wrapped = isRecord(returned) ? returned : { messages: returned }
  const chosen = wrapped.description ?? description
  return {
    ...(typeof chosen === 'string' ? { description: chosen } : {}),
    messages: toMessages(wrapped.messages),
  }
}

function toMessages(messages: unknown): JsonObject[] {
  if (typeof messages === 'string') return [userText(messages)]
  if (!Array.isArray(messages)) {
    throw new InvalidContent(`expected a string or a list of messages, got ${describe(messages)}`)
  }
  return messages.map((message, index) => {
    const where = `messages[${index}]`
    if (typeof message === 'string') return userText(message)
    if (!isRecord(message)) throw new InvalidContent(`${where} is ${describe(message)}, not a message`)
    const { role, content } = message
    if (role !== 'user' && role !== 'assistant') {
      throw new InvalidContent(`${where}.role must be 'user' or 'assistant'`)
    }
    const block = typeof content === 'string' ? { type: 'text', text: content } : content
    return { role, content: toContentBlock(block, `${where}.content`) }
  })
}

function userText(text: string): JsonObject {
  return { role: 'user', content: { type: 'text', text } }
}
