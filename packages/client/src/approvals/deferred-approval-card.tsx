import { deferred } from '../ui/deferred.tsx'

/** The card, for a conversation: most of them have none when they are opened. */
export const ApprovalCard = deferred(async () => (await import('./approval-card.tsx')).ApprovalCard)
