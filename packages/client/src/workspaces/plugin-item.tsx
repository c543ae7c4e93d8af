import type { Plugin } from '@dorkos/shared'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { ServerSentence } from '../ui/server-sentence.tsx'
import { ConsentActions } from './consent-actions.tsx'
import { HookStateBadge } from './hook-item.tsx'

/** One plugin: what it brings, and whether it is loaded. */
export function PluginItem({ plugin, workspaceId }: { plugin: Plugin; workspaceId: string }) {
  const words = text.workspaceHooks
  const { id, version, root, brings, digest, state, why, said, consent } = plugin
  return (
    <li className="min-w-0 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <bdi className="min-w-0 font-medium break-all">{withVisibleControls(id)}</bdi>
        {version !== undefined && <span className="text-xs text-soft">{withVisibleControls(version)}</span>}
        <HookStateBadge state={state} words={words.pluginStates} />
      </div>
      <p className="pt-1 text-sm text-soft">
        {brings.map(({ part, count }) => words.parts[part](count)).join(' · ')}
      </p>
      <bdi dir="ltr" className="block pt-1 font-mono text-xs break-all text-faint">
        <SafeText text={root} />
      </bdi>
      {why !== undefined && (
        <p className="pt-2 text-sm text-warn">
          <ServerSentence said={said} message={why} />
        </p>
      )}
      {digest !== undefined && (
        <ConsentActions
          {...{ workspaceId, digest, state }}
          grant={consent?.grant}
          label={words.load}
          canAllow={false}
        />
      )}
    </li>
  )
}
