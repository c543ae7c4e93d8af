import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useRemembered } from '../browser/remembered.ts'
import { useHash } from '../browser/use-hash.ts'
import { useApprovals } from '../live/use-live.ts'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { useFilters } from '../ui/filters.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { askForNotifications, notificationState } from './alerts/notifier.ts'
import { activeFields, DecidedFilters, InboxDecided, wholeView } from './inbox-decided.tsx'
import { InboxWaiting } from './inbox-waiting.tsx'

/** Everything that waits for a person, of all sessions, and what became of what waited before. */
export function InboxPage() {
  const hash = useHash()
  const [chosen, setChosen] = useState({ hash, tab: 'waiting' })
  // An address that names an approval is about one that waits.
  const tab = chosen.hash === hash ? chosen.tab : 'waiting'
  const [view, setView] = useState(wholeView)
  const filters = useFilters(activeFields(view), <DecidedFilters view={view} onChange={setView} />)
  const { length } = useApprovals()
  const t = text.approvals.inbox
  return (
    <Page title={t.title} description={t.description} wide>
      <NotificationHint />
      <Tabs
        label={t.tabs}
        value={tab}
        onChange={(next) => setChosen({ hash, tab: next })}
        end={tab === 'decided' && filters.button}
        tabs={[
          { value: 'waiting', label: t.waiting(length), content: <InboxWaiting /> },
          {
            value: 'decided',
            label: t.decided,
            content: <InboxDecided view={view} fields={filters.fields} />,
          },
        ]}
      />
    </Page>
  )
}

/** Offers notifications once, until it is answered. */
function NotificationHint() {
  const [dismissed, setDismissed] = useRemembered('dorkos.alerts-hint')
  const [state, setState] = useState(notificationState)
  const t = text.approvals.alerts
  if (dismissed !== undefined || state !== 'default') return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:order-last rounded-lg border border-line bg-card px-3 py-2 text-sm">
      <BellRing aria-hidden size={16} className="shrink-0 text-soft" />
      <p className="min-w-0 flex-1 basis-56">{t.hint}</p>
      <span className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void askForNotifications().then(setState)}>
          {t.enable}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => setDismissed('dismissed')}>
          {t.notNow}
        </Button>
      </span>
    </div>
  )
}
