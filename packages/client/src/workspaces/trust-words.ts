import type { TrustState } from '@dorkos/shared'
import type { Tone } from '../ui/notice.tsx'

export const trustTones: Record<TrustState, Tone> = { trusted: 'ok', untrusted: 'neutral', changed: 'warn' }
