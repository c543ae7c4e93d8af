/** What the shell does without showing anything. Apart from the layout, which it would draw again with every event. */
import type { Session } from '@dorkos/shared'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { neighbourSession } from '../sessions/session-groups.ts'
import { sessionTitle } from '../sessions/session-title.ts'
import { useMarkSeen } from '../sessions/unread-store.ts'
import { useListUpkeep, useSessionList } from '../sessions/use-session-list.ts'
import { text } from '../text/text.ts'
import { sessionIdOf, useCurrentSession } from './current-session.ts'
import type { Overlay } from './layout.tsx'
import { pageTitle } from './nav.ts'
import type { ShortcutId } from './shortcuts.ts'
import { useOpenFromNotification } from './use-open-from-notification.ts'
import { useShortcuts } from './use-shortcuts.ts'
import type { SidebarState } from './use-sidebar.ts'

interface ShellUpkeepProps {
  sidebar: SidebarState
  onOverlay: (overlay: Overlay) => void
}

export function ShellUpkeep({ sidebar, onOverlay }: ShellUpkeepProps): null {
  const [path, go] = useLocation()
  const { groups } = useSessionList('active')
  const session = useCurrentSession()
  useListUpkeep()
  useMarkSeen(session)
  useDocumentTitle(path, session)
  useOpenFromNotification(go)
  useShortcuts((id) => {
    const beside = (step: 1 | -1) => neighbourSession(groups, sessionIdOf(path), step)?.id
    const target = shortcutTarget(id, beside)
    if (target !== undefined) go(target)
    else if (id === 'palette' || id === 'sheet') onOverlay(id)
    else if (id === 'sidebar') sidebar.toggle()
    else if (id === 'search') focusSearch(sidebar)
  })
  return null
}

const steps: { [id in ShortcutId]?: 1 | -1 } = {
  next: 1,
  'next-typing': 1,
  previous: -1,
  'previous-typing': -1,
}

/** Where a shortcut leads, for those that lead somewhere. */
function shortcutTarget(id: ShortcutId, beside: (step: 1 | -1) => string | undefined): string | undefined {
  if (id === 'new') return '/new'
  if (id.startsWith('go:')) return id.slice('go:'.length)
  const step = steps[id]
  const session = step && beside(step)
  return session === undefined ? undefined : `/sessions/${session}`
}

function focusSearch(sidebar: SidebarState): void {
  sidebar.show()
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-shortcut="search"]')?.focus())
}

/** The tab's title says where one is. A count of what waits, in brackets before it, is somebody else's and stays. */
function useDocumentTitle(path: string, session: Session | undefined): void {
  const title = session ? sessionTitle(session) : pageTitle(path)
  useEffect(() => {
    const count = /^\(\d+\+?\) /.exec(document.title)?.[0] ?? ''
    document.title = `${count}${title === text.ui.appName ? title : `${title} · ${text.ui.appName}`}`
  }, [title])
}
