/** The page's one live part. The app starts it when signed in, and stops it when signed out. */
import { api, errorText } from '../api.ts'
import { signedOut } from '../auth/auth-store.ts'
import { createLive, type Live } from './create-live.ts'
import { createLeaderTab } from './leader-tab.ts'
import { browserFrame } from './live-topic.ts'
import { browserPresence } from './page-presence.ts'

export const live: Live = createLive({
  client: api,
  nextFrame: browserFrame,
  page: browserPresence,
  leader: createLeaderTab(globalThis.navigator?.locks),
  signedOut: () => signedOut('refused'),
  faultText: errorText,
})
