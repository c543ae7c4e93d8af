import { Bell, BookOpen, Download, Keyboard, LogOut, MonitorSmartphone, QrCode } from 'lucide-react'
import { useLocation } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { useInstall } from '../browser/install.ts'
import { setTheme, themes, useTheme } from '../browser/theme.ts'
import { text } from '../text/text.ts'
import { MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'

interface UserMenuEntriesProps {
  onSheet: () => void
  onAsk: (asked: 'leave' | 'notifications') => void
}

/** What the menu of this device has. */
export function UserMenuEntries({ onSheet, onAsk }: UserMenuEntriesProps) {
  const [, go] = useLocation()
  const theme = useTheme()
  const install = useInstall()
  const mayAdd = useCan('approve')
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
      {mayAdd && (
        <MenuItem icon={QrCode} onSelect={() => go('/devices#add')}>
          {text.shell.addDevice}
        </MenuItem>
      )}
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
