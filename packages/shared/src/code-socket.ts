/** How a command of the owner's account asks the server for a sign-in code: one line of JSON each way, over a socket in the state folder. */
import { z } from 'zod'
import { timeSchema } from './ids.ts'

/** In the state folder, where no agent's command gets. */
export const codeSocketName = 'code.sock'

/** `link`: long, for the fragment of a link. `typed`: short, for a person's fingers. */
export const codeRequestSchema = z.strictObject({ form: z.enum(['link', 'typed']) })
export type CodeRequest = z.infer<typeof codeRequestSchema>

export const codeAnswerSchema = z.union([
  z.object({ code: z.string(), expires_at: timeSchema }),
  z.object({ error: z.string() }),
])
export type CodeAnswer = z.infer<typeof codeAnswerSchema>
