import { CircleUserRound } from 'lucide-react'
import { useState } from 'react'
import { signOut, useAuth } from '../auth/auth-store.ts'
import { useStatus } from '../queries/use-status.ts'
import { text } from '../text/text.ts'
import { Badge } from '../ui/badge.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { deferred, fetchedPart } from '../ui/deferred.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Menu } from '../ui/menu.tsx'

const [Entries, load] = fetchedPart(async () => (await import('./user-menu-entries.tsx')).UserMenuEntries)
const NotificationSettings = deferred(
  async () => (await import('../approvals/alerts/notification-settings.tsx')).NotificationSettings,
)

/** What belongs to this device and this person: at the foot of the sidebar. */
export function UserMenu({ onSheet }: { onSheet: () => void }) {
  const auth = useAuth()
  const status = useStatus()
  const [asked, setAsked] = useState<'leave' | 'notifications'>()
  const name = auth.state === 'signed-in' ? auth.token.name : ''
  return (
    <>
      <Menu
        load={load}
        align="start"
        side="top"
        trigger={
          <button
            type="button"
            className="flex min-h-8 max-md:min-h-11 w-full items-center gap-2.5 rounded-md px-2 text-left text-sm text-soft hover:bg-hover hover:text-text"
          >
            <span className="sr-only">{text.shell.userMenu}</span>
            <CircleUserRound aria-hidden size={18} className="shrink-0" />
            <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
            {status?.model.mode === 'demo' && <Badge>{text.shell.demo}</Badge>}
          </button>
        }
      >
        <Entries onSheet={onSheet} onAsk={setAsked} />
        {status && (
          <p className="border-t border-line px-2 pt-1.5 pb-1 text-xs text-faint">
            {text.shell.version(status.version)}
          </p>
        )}
      </Menu>
      <Confirm
        open={asked === 'leave'}
        onClose={() => setAsked(undefined)}
        title={text.shell.signOutTitle}
        message={text.shell.signOutMessage}
        action={text.shell.signOut}
        onConfirm={signOut}
      />
      <Dialog
        open={asked === 'notifications'}
        onClose={() => setAsked(undefined)}
        title={text.shell.notificationsTitle}
        size="sm"
      >
        <div className="pb-3">
          <NotificationSettings />
        </div>
      </Dialog>
    </>
  )
}
