import { z } from 'zod'
import { saidSchema } from './words/said.ts'

/** A configuration as the API shows it: values, where each came from, and what a change needs. */
export const configViewSchema = z.object({
  keys: z.array(
    z.object({
      path: z.string(),
      /** Absent, like the default, for a key that has none. */
      value: z.unknown().optional(),
      default: z.unknown().optional(),
      /** The value of the file that waits for a restart. */
      pending: z.unknown().optional(),
      source: z.enum(['default', 'file', 'env', 'flag']),
      description: z.string(),
      restart: z.boolean(),
      /** Changed in the file alone: the API refuses it. */
      file_only: z.boolean(),
      env: z.string().optional(),
      flag: z.string().optional(),
      /** JSON Schema of the value. */
      schema: z.unknown(),
    }),
  ),
  file: z.string(),
  /** Why the newest file was not taken; the last good one is in use. */
  fault: z.string().optional(),
  said: saidSchema.optional(),
})
export type ConfigView = z.infer<typeof configViewSchema>
