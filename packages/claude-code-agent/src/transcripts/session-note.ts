/** Text that a person gives to a session, made fit for one line of a transcript and of a terminal. */
import { InvalidOptionsError } from '../errors.ts'

const maxTitleLength = 200
const maxTagLength = 64

export function cleanTitle(title: string): string {
  return clean(title, 'title', maxTitleLength)
}

export function cleanTag(tag: string): string {
  return clean(tag, 'tag', maxTagLength)
}

/** Control characters, line breaks, text-direction overrides and halves of surrogate pairs go; spaces are joined. */
function clean(value: string, what: string, maxLength: number): string {
  if (typeof value !== 'string') throw new InvalidOptionsError(`The ${what} must be a string.`)
  const bare = value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '')
  const line = bare.replace(/\s+/g, ' ').trim()
  if (line === '') throw new InvalidOptionsError(`The ${what} must have at least one visible character.`)
  return [...line.slice(0, maxLength * 2)].slice(0, maxLength).join('').trim()
}
