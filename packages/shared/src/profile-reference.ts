/** Which profile a session was started with. */
import { z } from 'zod'

/** `shipped`: comes with DorkOS. Of several with one name the workspace's counts, then the owner's. */
export const profileOrigins = ['workspace', 'owner', 'shipped'] as const
export const profileOriginSchema = z.enum(profileOrigins)
export type ProfileOrigin = z.infer<typeof profileOriginSchema>

/** What it was when the session began, whatever became of its file. */
export const frozenProfileSchema = z.object({
  name: z.string(),
  origin: profileOriginSchema,
  /** SHA-256 of all that counts. */
  digest: z.string(),
})
export type FrozenProfile = z.infer<typeof frozenProfileSchema>
