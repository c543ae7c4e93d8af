import { Link, useLocation } from 'wouter'
import { InboxCount } from '../approvals/inbox-badge.tsx'
import { text } from '../text/text.ts'
import { navEntries, navEntryOf, settingsEntries, settingsEntryOf } from './nav.ts'

const linkClass =
  'flex min-h-7 max-md:min-h-11 items-center gap-2.5 rounded-md px-2 text-sm text-soft hover:bg-hover hover:text-text ' +
  'aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text'

export function NavLinks() {
  const [path] = useLocation()
  const current = navEntryOf(path)
  return (
    <nav aria-label={text.shell.navigation} className="flex flex-col px-2">
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
            <span className="min-w-0 flex-1 truncate">{title}</span>
            {path === '/inbox' && <InboxCount />}
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
