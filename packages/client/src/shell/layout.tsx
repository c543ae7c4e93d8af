import { memo, useEffect, useMemo } from 'react'
import { useLocation } from 'wouter'
import { SessionDialogs } from '../sessions/session-dialogs.tsx'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { deferred } from '../ui/deferred.tsx'
import { HeaderStart } from '../ui/page.tsx'
import { useStateUntil } from '../ui/use-state-until.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { SettingsTabs } from './nav-links.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { Screen } from './screen.tsx'
import { ShellUpkeep } from './shell-upkeep.tsx'
import { Sidebar } from './sidebar.tsx'
import { StatusBanners } from './status-banners.tsx'
import { OpenSidebar, TopBar } from './top-bar.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'
import { type SidebarState, useSidebar } from './use-sidebar.ts'

const Palette = deferred(async () => (await import('./palette.tsx')).Palette)
const ShortcutSheet = deferred(async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet)

/** What the shell does must not draw the page again. */
const Page = memo(Screen)

export type Overlay = 'palette' | 'sheet'

/** The sidebar beside the page, or on a phone in a drawer over it. */
export function Layout() {
  const [path] = useLocation()
  const sidebar = useSidebar(path)
  // Going somewhere closes what lies over the page.
  const [overlay, setOverlay] = useStateUntil<Overlay | undefined>(path, undefined)
  useViewportHeight()
  useHeadingFocus(path)
  const close = () => setOverlay(undefined)
  // A conversation's header is the only one: what it needs of the sidebar that is not in sight stands in it.
  const hasOwnHeader = path.startsWith('/sessions/')
  const { narrow, shown, show } = sidebar
  const start = useMemo(
    () => (shown && !narrow ? null : <OpenSidebar narrow={narrow} shown={shown} show={show} />),
    [narrow, shown, show],
  )
  return (
    <div className="flex h-[var(--viewport-height,100dvh)] overflow-hidden bg-ground pl-[env(safe-area-inset-left)]">
      <ShellUpkeep
        sidebar={sidebar}
        onOverlay={(asked) => setOverlay(overlay === asked ? undefined : asked)}
      />
      <SkipLink />
      <SidebarFrame sidebar={sidebar} onOverlay={setOverlay} />
      <div
        inert={sidebar.covers}
        className={cx(
          'relative flex min-w-0 flex-1 flex-col pr-[env(safe-area-inset-right)]',
          hasOwnHeader && 'pt-[env(safe-area-inset-top)]',
        )}
      >
        {!hasOwnHeader && <TopBar sidebar={sidebar} onPalette={() => setOverlay('palette')} />}
        <ConnectionBanner />
        <StatusBanners />
        <SettingsTabs />
        <main id="page" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          <HeaderStart value={start}>
            <Page />
          </HeaderStart>
        </main>
      </div>
      <SessionDialogs />
      <PageBoundary resetKey={`${path} ${overlay ?? ''}`}>
        {overlay === 'palette' && (
          <Palette onClose={close} toggleSidebar={sidebar.toggle} openSheet={() => setOverlay('sheet')} />
        )}
        {overlay === 'sheet' && <ShortcutSheet onClose={close} />}
      </PageBoundary>
    </div>
  )
}

interface SidebarFrameProps {
  sidebar: SidebarState
  onOverlay: (overlay: Overlay) => void
}

function SidebarFrame({ sidebar, onOverlay }: SidebarFrameProps) {
  const { narrow, shown, covers, hide } = sidebar
  return (
    <>
      {covers && (
        <button
          type="button"
          aria-label={text.shell.closeMenu}
          tabIndex={-1}
          onClick={hide}
          className="fixed inset-0 z-20 bg-black/40"
        />
      )}
      <aside
        aria-label={text.shell.sidebar}
        inert={!shown}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && covers && !event.defaultPrevented) hide()
        }}
        className={cx(
          'shrink-0 border-r border-line bg-raised',
          narrow
            ? 'fixed inset-y-0 left-0 z-30 w-[min(20rem,86vw)] transition-transform duration-150'
            : 'w-70',
          !shown && (narrow ? '-translate-x-full' : 'hidden'),
        )}
      >
        <Sidebar
          narrow={narrow}
          onHide={hide}
          onPalette={() => onOverlay('palette')}
          onSheet={() => onOverlay('sheet')}
        />
      </aside>
    </>
  )
}

/** The first stop of the Tab key: past the sidebar. No link, since the fragment of the address names messages. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById('page')?.focus()}
      className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:border focus:border-line focus:bg-card focus:px-3 focus:py-2"
    >
      {text.shell.skip}
    </button>
  )
}

/**
 * Keeps the page as high as what is seen of it. Where the keyboard lies over the page (iOS), `100dvh` still counts what is
 * below it, and the composer would be hidden.
 */
function useViewportHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const { style } = document.documentElement
    const fit = () => {
      const isZoomed = viewport.scale > 1.01
      const isCovered = window.innerHeight - viewport.height > 80
      if (isZoomed || !isCovered) return style.removeProperty('--viewport-height')
      style.setProperty('--viewport-height', `${Math.round(viewport.height)}px`)
      // iOS moves the whole page up to show the input; with the right height it need not.
      window.scrollTo(0, 0)
    }
    viewport.addEventListener('resize', fit)
    return () => {
      viewport.removeEventListener('resize', fit)
      style.removeProperty('--viewport-height')
    }
  }, [])
}
