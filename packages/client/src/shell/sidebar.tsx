import { Command, PanelLeftClose, SquarePen, X } from 'lucide-react'
import { Link } from 'wouter'
import { SessionsPanel } from '../sessions/sessions-panel.tsx'
import { text } from '../text/text.ts'
import { BrandMark } from '../ui/brand-mark.tsx'
import { IconButton } from '../ui/button.tsx'
import { NavLinks } from './nav-links.tsx'
import { keysOf } from './shortcuts.ts'
import { UserMenu } from './user-menu.tsx'

interface SidebarProps {
  narrow: boolean
  onHide: () => void
  onPalette: () => void
  onSheet: () => void
}

export function Sidebar({ narrow, onHide, onPalette, onSheet }: SidebarProps) {
  return (
    <div className="flex h-full min-h-0 flex-col gap-1 pt-[calc(env(safe-area-inset-top)+0.25rem)] pb-[calc(env(safe-area-inset-bottom)+0.25rem)]">
      <div className="flex items-center pr-2 pl-3">
        <Link
          href="/"
          aria-label={text.shell.goHome}
          className="flex min-h-10 min-w-0 flex-1 items-center gap-2 font-semibold"
        >
          <BrandMark size={22} />
          {text.ui.appName}
        </Link>
        {narrow && (
          <Link
            href="/new"
            aria-label={text.shell.pages.newSession}
            title={text.shell.pages.newSession}
            className="flex size-10 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-text"
          >
            <SquarePen aria-hidden size={18} />
          </Link>
        )}
        <IconButton
          label={text.shell.openPalette}
          icon={Command}
          keys={keysOf('palette')}
          onClick={onPalette}
        />
        <IconButton
          label={narrow ? text.shell.closeMenu : text.shell.hideSidebar}
          icon={narrow ? X : PanelLeftClose}
          onClick={onHide}
        />
      </div>
      {!narrow && (
        <div className="px-2">
          <Link
            href="/new"
            className="flex min-h-8 items-center justify-center gap-2 rounded-md border border-line-strong bg-card text-sm font-medium hover:bg-hover"
          >
            <SquarePen aria-hidden size={16} />
            {text.shell.pages.newSession}
          </Link>
        </div>
      )}
      <NavLinks />
      <SessionsPanel />
      <div className="border-t border-line px-2 pt-0.5">
        <UserMenu onSheet={onSheet} />
      </div>
    </div>
  )
}
