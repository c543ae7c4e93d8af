/** The words of `text.ts` with those for sending a message again, which are loaded after the first look. */
import { resend } from './en/resend.ts'
import { text as first } from './text.ts'

export const text = { ...first, resend }
