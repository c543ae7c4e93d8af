import { Link, useLocation } from 'wouter'
import { InboxCount } from '../approvals/inbox-badge.tsx'
import { useRemembered } from '../browser/remembered.ts'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { DisclosureButton } from '../ui/disclosure.tsx'
import { type NavEntry, navEntries, navEntryOf } from './nav.ts'

const linkClass =
  'flex min-h-8 max-md:min-h-11 items-center gap-2.5 rounded-md px-2 text-sm text-soft hover:bg-hover hover:text-text ' +
  'aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text'

export function NavLinks() {
  const [path] = useLocation()
  const [stored, setStored] = useRemembered('dorkos.nav.more')
  const current = navEntryOf(path)
  const open = stored === 'open' || current?.rare === true
  return (
    <nav
      aria-label={text.shell.navigation}
      className="flex flex-col gap-0.5 px-2 max-md:max-h-[45%] max-md:overflow-y-auto"
    >
      <Entries entries={navEntries.filter(({ rare }) => !rare)} current={current} />
      <DisclosureButton
        open={open}
        onToggle={() => setStored(open ? undefined : 'open')}
        disabled={current?.rare === true}
        className={cx(linkClass, 'w-full disabled:cursor-default')}
      >
        {text.shell.more}
      </DisclosureButton>
      {open && <Entries entries={navEntries.filter(({ rare }) => rare)} current={current} />}
    </nav>
  )
}

function Entries({ entries, current }: { entries: readonly NavEntry[]; current: NavEntry | undefined }) {
  return entries.map((entry) => {
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
  })
}
