import type { Hook, WorkspaceHooks } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { useHash } from '../browser/use-hash.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Notice } from '../ui/notice.tsx'
import { Card } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { HookItem } from './hook-item.tsx'
import { PluginItem } from './plugin-item.tsx'

/** Every hook and plugin that sessions of a workspace would have, and whether it counts. Links lead to it as `#hooks`. */
export function HooksCard({ workspaceId }: { workspaceId: string }) {
  const query = useQuery({
    // Below its trust, because a change of that makes it old too.
    queryKey: ['workspace-trust', workspaceId, 'hooks'],
    queryFn: ({ signal }) => api.listWorkspaceHooks({ params: { id: workspaceId }, signal }),
  })
  const words = text.workspaceHooks
  const heading = useRef<HTMLHeadingElement>(null)
  const isWanted = useHash() === 'hooks' && query.data !== undefined
  useEffect(() => {
    if (!isWanted) return
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [isWanted])
  const others = (query.data?.hooks ?? []).filter(({ source }) => source !== 'dorkos')
  return (
    <Card className="flex min-w-0 flex-col gap-3">
      <div>
        <h2 ref={heading} tabIndex={-1} className="scroll-mt-4 font-semibold outline-none">
          {words.title(others.length)}
        </h2>
        <p className="text-sm text-soft">{words.where}</p>
      </div>
      <QueryView query={query}>
        {(found) => <Found found={found} isEmpty={others.length === 0} workspaceId={workspaceId} />}
      </QueryView>
    </Card>
  )
}

interface FoundProps {
  found: WorkspaceHooks
  isEmpty: boolean
  workspaceId: string
}

function Found({ found, isEmpty, workspaceId }: FoundProps) {
  const words = text.workspaceHooks
  const { off, faults, plugins } = found
  return (
    <>
      {off !== undefined && <Notice tone="warn">{words.off[off]}</Notice>}
      {isEmpty && <p className="text-sm">{words.none}</p>}
      {faults.length > 0 && (
        <Notice tone="warn">
          <p className="font-medium">{words.faults}</p>
          <ul className="flex flex-col gap-1 pt-1">
            {sequence(faults, ({ file, reason }) => (
              <li>
                <bdi dir="ltr" className="font-mono text-xs break-all">
                  <SafeText text={file} />
                </bdi>{' '}
                <SafeText text={reason} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {groupHooks(found.hooks).map(({ event, hooks }) => (
        <section key={event} className="flex min-w-0 flex-col gap-2">
          <h3 className="font-mono text-sm font-medium break-all">{withVisibleControls(event)}</h3>
          <ul className="flex min-w-0 flex-col gap-2">
            {sequence(hooks, (hook) => (
              <HookItem hook={hook} workspaceId={workspaceId} />
            ))}
          </ul>
        </section>
      ))}
      {found.cut && <p className="text-sm text-warn">{words.more}</p>}
      {plugins.length > 0 && (
        <section className="flex min-w-0 flex-col gap-2">
          <h3 className="font-semibold">{words.pluginsTitle(plugins.length)}</h3>
          <p className="text-sm text-soft">{words.pluginsLead}</p>
          <ul className="flex min-w-0 flex-col gap-2">
            {plugins.map((plugin) => (
              <PluginItem key={plugin.id} plugin={plugin} workspaceId={workspaceId} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Hooks by event, in the order in which they came. Pure. */
export function groupHooks(hooks: readonly Hook[]): { event: string; hooks: Hook[] }[] {
  const groups = new Map<string, Hook[]>()
  for (const hook of hooks) groups.set(hook.event, [...(groups.get(hook.event) ?? []), hook])
  return [...groups].map(([event, list]) => ({ event, hooks: list }))
}
