/** What people allowed: which hook may run, which plugin may load, by the digest of what they were shown. */
import type { HookConsent } from '@dorkos/shared'

export interface StoredHookConsent extends HookConsent {
  digest: string
  /** What it was for, for the audit log and for people who read the store. */
  label: string
}

export interface HookConsentStore {
  list(): Promise<StoredHookConsent[]>
  /** Replaces one for the same digest. */
  put(consent: StoredHookConsent): Promise<void>
  /** Undefined when there is none. */
  remove(digest: string): Promise<StoredHookConsent | undefined>
}
