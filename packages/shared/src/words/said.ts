/** What the server says, on the wire: a reason of the table with its parameters. */
import { z } from 'zod'

/** Texts, numbers, and `Said` again where a parameter is a sentence itself, or lists of these. A newer server may have others. */
export const saidParamsSchema = z.record(z.string(), z.unknown())

/** Beside a sentence of the server that is not an error's: what it was made of. */
export const saidSchema = z.object({ reason: z.string(), params: saidParamsSchema.optional() })

export type Said = Readonly<z.infer<typeof saidSchema>>
