import { Inbox, Menu, PanelLeftOpen, Search, SquarePen } from 'lucide-react'
import { Link } from 'wouter'
import { InboxCount } from '../approvals/inbox-badge.tsx'
import { text } from '../text/text.ts'
import { BrandMark } from '../ui/brand-mark.tsx'
import { IconButton } from '../ui/button.tsx'
import { keysOf } from './shortcuts.ts'
import type { SidebarState } from './use-sidebar.ts'

const linkClass =
  'flex h-9 min-w-9 items-center justify-center gap-1 rounded-md px-2 text-soft hover:bg-hover hover:text-text max-md:h-11 max-md:min-w-11'

/** Shows the sidebar, and that something waits in it. */
export function OpenSidebar({ narrow, shown, show }: Pick<SidebarState, 'narrow' | 'shown' | 'show'>) {
  return (
    <span className="relative shrink-0">
      <IconButton
        label={narrow ? text.shell.openMenu : text.shell.showSidebar}
        icon={narrow ? Menu : PanelLeftOpen}
        {...(!narrow && { keys: keysOf('sidebar') })}
        aria-expanded={shown}
        onClick={show}
        className="max-md:size-11"
      />
    </span>
  )
}

/** What is needed of a sidebar that is not in sight. Where one is, the page's own heading says. */
export function TopBar({ sidebar, onPalette }: { sidebar: SidebarState; onPalette: () => void }) {
  const { narrow, shown, show } = sidebar
  if (!narrow && shown) return null
  return (
    <header className="flex shrink-0 items-center gap-0.5 border-b border-line bg-raised px-1 pt-[env(safe-area-inset-top)]">
      <OpenSidebar narrow={narrow} shown={shown} show={show} />
      <Link href="/" aria-label={text.shell.goHome} className={`${linkClass} gap-2 font-semibold`}>
        <BrandMark size={20} />
        {text.ui.appName}
      </Link>
      <span className="flex-1" />
      <IconButton
        label={text.shell.openPalette}
        icon={Search}
        keys={keysOf('palette')}
        onClick={onPalette}
        className="max-md:size-11"
      />
      <Link
        href="/new"
        aria-label={text.shell.pages.newSession}
        title={text.shell.pages.newSession}
        className={linkClass}
      >
        <SquarePen aria-hidden size={18} />
      </Link>
      <Link href="/inbox" title={text.shell.pages.inbox} className={linkClass}>
        <Inbox aria-hidden size={18} />
        <span className="sr-only">{text.shell.pages.inbox}</span>
        <InboxCount />
      </Link>
    </header>
  )
}
