/** The page's own drafts, over its own connection. */
import { api } from '../api.ts'
import { authState } from '../auth/auth-store.ts'
import { live } from '../live/live.ts'
import { startDraftSync } from './draft-sync.ts'

export function syncPageDrafts(): () => void {
  const auth = authState()
  // Who cannot write has no drafts.
  if (auth.state !== 'signed-in' || !auth.scopes.includes('chat')) return () => {}
  return startDraftSync({
    client: api,
    onServerEvent: live.onServerEvent,
    onServerSnapshot: live.store.onServerSnapshot,
    onHidden(listener) {
      const hidden = () => document.hidden && listener()
      document.addEventListener('visibilitychange', hidden)
      window.addEventListener('pagehide', listener)
      return () => {
        document.removeEventListener('visibilitychange', hidden)
        window.removeEventListener('pagehide', listener)
      }
    },
  })
}
