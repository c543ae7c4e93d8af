import type { McpServer } from '@dorkos/shared'
import { SafeText } from '../render/safe-text.tsx'
import { SourceLink } from './source-link.tsx'
import { whyUnused } from './source-text.ts'

/** A server that sessions do not get, and why. */
export function UnusedServer({ server }: { server: McpServer }) {
  return (
    <li className="flex flex-col gap-1 rounded-lg border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        <bdi className="max-w-full truncate font-medium">
          <SafeText text={server.name} />
        </bdi>
        <SourceLink server={server} />
      </div>
      <p className="text-sm break-words text-soft">
        <SafeText text={whyUnused(server)} />
      </p>
    </li>
  )
}
