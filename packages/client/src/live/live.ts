/** The page's one live part. The app starts it when signed in, and stops it when signed out. */
import { api, errorText } from '../api.ts'
import { signedOut } from '../auth/auth-store.ts'
import { createLive, type Live } from './create-live.ts'
import { followInTurns } from './follow-in-turns.ts'
import { createLeaderTab } from './leader-tab.ts'
import { browserFrame } from './live-topic.ts'
import { browserPresence } from './page-presence.ts'
import { createStreamSlots } from './stream-slots.ts'

const locks = globalThis.navigator?.locks

export const live: Live = createLive({
  client: { ...api, followAll: followInTurns(api.followAll, createStreamSlots(locks)) },
  nextFrame: browserFrame,
  page: browserPresence,
  leader: createLeaderTab(locks),
  signedOut: () => signedOut('refused'),
  faultText: errorText,
})
