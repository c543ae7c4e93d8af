import { Link, useLocation } from 'wouter'
import { InboxCount } from '../approvals/inbox-badge.tsx'
import { text } from '../text/text.ts'
import { navEntries, navEntryOf, settingsEntries, settingsEntryOf } from './nav.ts'

/** Below one another; in the drawer of a phone side by side, so that the sessions come first. */
const linkClass =
  'relative flex min-h-7 items-center gap-2.5 rounded-md px-2 text-sm text-soft hover:bg-hover hover:text-text ' +
  'max-md:min-h-12 max-md:min-w-0 max-md:flex-auto max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:px-0.5 max-md:text-[0.6875rem] ' +
  'aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text'

export function NavLinks() {
  const [path] = useLocation()
  const current = navEntryOf(path)
  return (
    <nav aria-label={text.shell.navigation} className="flex flex-col px-2 max-md:flex-row">
      {navEntries.map((entry) => {
        const { path, title, icon: Icon } = entry
        return (
          <Link
            key={path}
            href={path}
            aria-current={entry === current ? 'page' : undefined}
            className={linkClass}
          >
            <Icon aria-hidden size={16} className="shrink-0" />
            <span className="min-w-0 flex-1 truncate max-md:max-w-full max-md:flex-none">{title}</span>
            {path === '/inbox' && (
              <span className="flex max-md:absolute max-md:top-0 max-md:left-1/2 max-md:ml-1">
                <InboxCount />
              </span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}

/** The pages of Settings side by side, above each of them. */
export function SettingsTabs() {
  const [path] = useLocation()
  const current = settingsEntryOf(path)
  if (current === undefined) return null
  return (
    <nav aria-label={text.shell.pages.settings} className="shrink-0 overflow-x-auto border-b border-line">
      <div className="mx-auto flex w-fit min-w-full max-w-6xl gap-1 px-2 sm:px-4">
        {settingsEntries.map((entry) => (
          <Link
            key={entry.path}
            href={entry.path}
            aria-current={entry === current ? 'page' : undefined}
            className="-mb-px flex min-h-10 shrink-0 items-center border-b-2 border-transparent px-3 text-sm text-soft -outline-offset-2 hover:text-text aria-[current=page]:border-ink aria-[current=page]:font-medium aria-[current=page]:text-text max-md:min-h-11"
          >
            {entry.title}
          </Link>
        ))}
      </div>
    </nav>
  )
}
