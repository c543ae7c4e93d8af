/** Anything that was thrown → text. Never throws, whatever getters the value has. */
import type { ThrownError } from './worker-messages.ts'

const longestMessage = 4000
const longestStack = 20_000

export function toThrownError(thrown: unknown): ThrownError {
  const isObject = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function'
  const fields = isObject ? (thrown as Record<string, unknown>) : {}
  const message = isObject ? read(fields, 'message') : printed(thrown)
  const code = read(fields, 'code')
  return {
    name: (read(fields, 'name') ?? 'Error').slice(0, 200),
    message: (message || printed(thrown)).slice(0, longestMessage),
    stack: (read(fields, 'stack') ?? '').slice(0, longestStack),
    ...(code === undefined ? {} : { code }),
  }
}

function read(fields: Record<string, unknown>, key: string): string | undefined {
  try {
    const value = fields[key]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function printed(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'something that cannot be printed was thrown'
  }
}
