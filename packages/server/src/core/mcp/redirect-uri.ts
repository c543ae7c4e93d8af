/** Where an authorization server may send a person back to: a page of ours, or a program on the person's own machine. */
import { mcpSignInPath, type Saying, say } from '@dorkos/shared'

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])
const loopbackPath = '/callback'

/** Why not, as a sentence; undefined when it may be. A code that goes elsewhere is somebody else's. */
export function redirectFault(text: string, ownOrigins: readonly string[]): Saying | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // As it would be read is as it was written: nothing is left to interpretation.
  const isPlain = url?.href === text && url.search === '' && url.hash === ''
  const hasUser = url?.username !== '' || url.password !== ''
  if (url && isPlain && !hasUser) {
    if (url.pathname === mcpSignInPath && ownOrigins.includes(url.origin)) return undefined
    const isProgram = url.protocol === 'http:' && loopbackHosts.has(url.hostname) && url.port !== ''
    if (isProgram && url.pathname === loopbackPath) return undefined
  }
  return say('sign_in_redirect_refused', { page: mcpSignInPath, program: loopbackPath })
}
