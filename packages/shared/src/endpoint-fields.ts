/** What several parts of the endpoint table have in common. */
import { z } from 'zod'
import { recordIdSchema, sessionIdSchema } from './ids.ts'

export const sessionParams = z.object({ id: sessionIdSchema })
export const recordParams = z.object({ id: recordIdSchema })
export const emptyBody = z.strictObject({})
/** Bytes, of a body that may hold images and files. */
export const largeBody = 32 * 1024 * 1024

export const limit = (max: number, standard: number) =>
  z.coerce.number().int().min(1).max(max).default(standard)
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export const fileQuery = z.object({
  /** Letters of the path in their order, as fuzzy finders take them. Empty: files that were changed last. */
  q: z.string().max(500).default(''),
  limit: limit(200, 20),
})

export const foundFilesSchema = z.object({
  /** Relative to the directory, with `/`. */
  files: z.array(z.object({ path: z.string(), kind: z.enum(['file', 'directory']) })),
  /** False when there are more files than are searched. */
  complete: z.boolean(),
})
