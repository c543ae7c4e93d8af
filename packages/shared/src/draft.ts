/** What somebody is writing, for each session and for a new one: it follows them from one device to another. */
import { z } from 'zod'
import { sessionIdSchema, timeSchema } from './ids.ts'

/** Longer ones stay on the device that they are written on. */
export const maxDraftText = 200_000

/** A session's id, or `new` for the first message of a session that is not there yet. */
export const draftKeySchema = z.union([sessionIdSchema, z.literal('new')])

export const draftSchema = z.object({
  key: draftKeySchema,
  /** Empty: there is none any more. The next one is made from revision 0. */
  text: z.string().max(maxDraftText),
  /** Grows with every change; 0 where there is none. */
  revision: z.number().int().min(0),
  updated_at: timeSchema,
})
export type Draft = z.infer<typeof draftSchema>
