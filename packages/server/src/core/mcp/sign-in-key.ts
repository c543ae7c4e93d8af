/**
 * What a sign-in goes by: all that says whom the tokens are sent to, and for whom it was written. What the query or a header names can be
 * another account; and a project that repeats an entry of the owner's gets nothing of what the owner was granted.
 */
import { createHash } from 'node:crypto'
import { canonicalJson, type ServerEntry } from '@dorkos/mcp-gateway'

export function signInKeyOf({ name, launch, audience }: ServerEntry): string {
  const what = launch.type === 'stdio' ? { type: launch.type } : { ...launch, headers: { ...launch.headers } }
  return `${name}-${createHash('sha256')
    .update(canonicalJson({ ...what, place: audience }))
    .digest('hex')}`
}
