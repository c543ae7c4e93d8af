/** Trust in a workspace: what it covers, and what has changed since it was given. */
import { z } from 'zod'
import { timeSchema } from './ids.ts'

export const trustStates = ['untrusted', 'trusted', 'changed'] as const
/** `changed`: it was trusted, and something is different now. It counts as not trusted until somebody looks. */
export const trustStateSchema = z.enum(trustStates)
export type TrustState = z.infer<typeof trustStateSchema>

/**
 * `server`: an entry of `.mcp.json`. `settings`: a settings file of the CLI. `file`: anything else that the CLI loads from
 * `.claude`. `tool`: a module in `.dorkos/tools`. `profile`: a file in `.dorkos/agents`. `script`: a file that one of their commands names.
 */
const trustKindSchema = z.enum(['server', 'settings', 'file', 'tool', 'profile', 'script'])
export type TrustKind = z.infer<typeof trustKindSchema>

const covered = {
  kind: trustKindSchema,
  /** Relative to the workspace; begins with `../` for what the CLI loads from a folder above or the main checkout. */
  path: z.string(),
  /** Of a server. */
  name: z.string().optional(),
}

const trustItemSchema = z.object({
  ...covered,
  /** What would run, exactly, but for masked secrets. */
  runs: z.array(z.string()),
  /** Masked; absent for what is no text. */
  text: z.string().optional(),
  /** The text goes on. */
  cut: z.boolean().optional(),
})
export type TrustItem = z.infer<typeof trustItemSchema>

const trustChangeSchema = z.object({
  ...covered,
  change: z.enum(['added', 'removed', 'changed']),
  /** In unified form, masked and bounded. */
  diff: z.string().optional(),
  /** What the diff cannot show: a secret value that changed, text that is too long. */
  notes: z.array(z.string()),
})
export type TrustChange = z.infer<typeof trustChangeSchema>

/** Why the workspace cannot be trusted as it is. */
const trustFaultSchema = z.object({ path: z.string(), reason: z.string() })
export type TrustFault = z.infer<typeof trustFaultSchema>

export const workspaceTrustSchema = z.object({
  state: trustStateSchema,
  /** Names what is there now. Giving trust takes it, so that nobody trusts what was not shown. */
  digest: z.string(),
  items: z.array(trustItemSchema),
  /** While there is one, trust cannot be given. */
  faults: z.array(trustFaultSchema),
  /** Since trust was given; only in the state `changed`. */
  changes: z.array(trustChangeSchema).optional(),
  /** Who trusted it last, and when. */
  given: z.object({ principal: z.string(), at: timeSchema }).optional(),
})
export type WorkspaceTrust = z.infer<typeof workspaceTrustSchema>

/** A digest of `GET …/trust`. */
export const giveTrustSchema = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) })
