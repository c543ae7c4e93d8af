import { useState } from 'react'
import { useApprovals } from '../live/use-live.ts'
import { text } from '../text/text.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { NotificationHint } from './alerts/notification-hint.tsx'
import { InboxDecided } from './inbox-decided.tsx'
import { InboxWaiting } from './inbox-waiting.tsx'

/** Everything that waits for a person, of all sessions, and what became of what waited before. */
export function InboxPage() {
  const [tab, setTab] = useState('waiting')
  const { length } = useApprovals()
  const t = text.approvals.inbox
  return (
    <Page title={t.title} description={t.description} wide>
      <NotificationHint />
      <Tabs
        label={t.tabs}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'waiting', label: t.waiting(length), content: <InboxWaiting /> },
          { value: 'decided', label: t.decided, content: <InboxDecided /> },
        ]}
      />
    </Page>
  )
}
