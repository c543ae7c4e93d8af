/** What is said in a session's events: the sentence, and what it was made of. */
import { type NewEvent, type Said, type Saying, say, toSaid } from '@dorkos/shared'
import { AppError } from './app-error.ts'

export type Notice = Extract<NewEvent, { type: 'notice' }>

export function noticeOf(saying: Saying, code: string): Notice {
  return { type: 'notice', level: 'info', code, ...inMessage(saying) }
}

export const inMessage = (saying: Saying): { message: string; said: Said } => ({
  message: saying.message,
  said: toSaid(saying),
})

/** Why a turn ended. */
export const inWords = (saying: Saying): { reason: string; said: Said } => ({
  reason: saying.message,
  said: toSaid(saying),
})

/** Whatever else fails is reported in its own words. */
export function sayingOf(error: unknown): Saying {
  if (error instanceof AppError) return error.saying
  return say('cli_words', { text: error instanceof Error ? error.message : String(error) })
}
