import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useRemembered } from '../../browser/remembered.ts'
import { text } from '../../text/card-text.ts'
import { Button } from '../../ui/button.tsx'
import { askForNotifications, notificationState } from './notifier.ts'

/** Offers notifications once, until it is answered. */
export function NotificationHint() {
  const [dismissed, setDismissed] = useRemembered('dorkos.alerts-hint')
  const [state, setState] = useState(notificationState)
  const t = text.approvals.alerts
  if (dismissed !== undefined || state !== 'default') return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-card px-3 py-2 text-sm">
      <BellRing aria-hidden size={16} className="shrink-0 text-accent" />
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
