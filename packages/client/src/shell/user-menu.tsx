import { Bell, BookOpen, CircleUserRound, Download, Keyboard, LogOut, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { signOut, useAuth } from '../auth/auth-store.ts'
import { useInstall } from '../browser/install.ts'
import { setTheme, themes, useTheme } from '../browser/theme.ts'
import { useStatus } from '../queries/use-status.ts'
import { text } from '../text/text.ts'
import { Badge } from '../ui/badge.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { deferred } from '../ui/deferred.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'

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

interface EntriesProps {
  onSheet: () => void
  onAsk: (asked: 'leave' | 'notifications') => void
}

function Entries({ onSheet, onAsk }: EntriesProps) {
  const [, go] = useLocation()
  const theme = useTheme()
  const install = useInstall()
  return (
    <>
      <MenuChoice
        label={text.shell.theme}
        value={theme}
        onChange={(value) => setTheme(themes.find((one) => one === value) ?? 'system')}
        options={themes.map((value) => ({ value, label: text.shell.themes[value] }))}
      />
      <MenuSeparator />
      <MenuItem icon={Bell} onSelect={() => onAsk('notifications')}>
        {text.shell.notifications}
      </MenuItem>
      <MenuItem icon={MonitorSmartphone} onSelect={() => go('/devices')}>
        {text.shell.devices}
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={onSheet}>
        {text.shell.shortcutsItem}
      </MenuItem>
      {install && (
        <MenuItem icon={Download} onSelect={install}>
          {text.shell.install}
        </MenuItem>
      )}
      <MenuItem icon={BookOpen} onSelect={() => void window.open('/api/docs', '_blank', 'noopener')}>
        {text.shell.apiDocs}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => onAsk('leave')}>
        {text.shell.signOut}
      </MenuItem>
    </>
  )
}
