/** What trust covers, by kind; what can run comes first. Pure. */
import type { TrustItem, TrustKind } from '@dorkos/shared'

const kinds: readonly TrustKind[] = ['server', 'settings', 'tool', 'script', 'file']

export function groupItems(items: readonly TrustItem[]): { kind: TrustKind; items: TrustItem[] }[] {
  return kinds
    .map((kind) => ({ kind, items: items.filter((item) => item.kind === kind) }))
    .filter((group) => group.items.length > 0)
}
