import type { McpList } from '@dorkos/shared'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Notice } from '../ui/notice.tsx'
import { faultText, locationOf } from './source-text.ts'

/** What cannot be used in the files that servers come from. */
export function FileFaults({ faults }: { faults: McpList['faults'] }) {
  if (faults.length === 0) return null
  return (
    <Notice tone="warn">
      <p className="font-medium">{text.mcp.faults(faults.length)}</p>
      <ul className="mt-1 flex flex-col gap-1">
        {faults.map((fault) => (
          <li key={`${locationOf(fault)} ${fault.name ?? ''} ${fault.message}`}>
            <bdi className="font-mono text-xs break-all">
              <SafeText text={locationOf(fault)} />
            </bdi>{' '}
            <SafeText text={faultText(fault)} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}
