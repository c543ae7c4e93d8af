import { Link } from 'wouter'
import { withVisibleControls } from '../render/safe-text.tsx'
import type { CostLabel } from './use-cost-names.ts'

export function CostName({ name, href }: CostLabel) {
  const shown = withVisibleControls(name)
  if (href === undefined) {
    return (
      <bdi title={shown} className="block truncate">
        {shown}
      </bdi>
    )
  }
  return (
    <Link href={href} title={shown} className="block truncate link">
      <bdi>{shown}</bdi>
    </Link>
  )
}
