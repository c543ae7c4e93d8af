import { useState } from 'react'
import { useHash } from '../browser/use-hash.ts'
import { useApprovals } from '../live/use-live.ts'
import { text } from '../text/card-text.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { NotificationHint } from './alerts/notification-hint.tsx'
import { InboxDecided } from './inbox-decided.tsx'
import { InboxWaiting } from './inbox-waiting.tsx'

/** Everything that waits for a person, of all sessions, and what became of what waited before. */
export function InboxPage() {
  const hash = useHash()
  const [chosen, setChosen] = useState({ hash, tab: 'waiting' })
  // An address that names an approval is about one that waits.
  const tab = chosen.hash === hash ? chosen.tab : 'waiting'
  const { length } = useApprovals()
  const t = text.approvals.inbox
  return (
    <Page title={t.title} description={t.description} wide>
      <NotificationHint />
      <Tabs
        label={t.tabs}
        value={tab}
        onChange={(next) => setChosen({ hash, tab: next })}
        tabs={[
          { value: 'waiting', label: t.waiting(length), content: <InboxWaiting /> },
          { value: 'decided', label: t.decided, content: <InboxDecided /> },
        ]}
      />
    </Page>
  )
}
