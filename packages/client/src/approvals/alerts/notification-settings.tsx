import { useState } from 'react'
import { text } from '../../text/card-text.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useAlertSettings } from './alert-settings.ts'
import { beep } from './beep.ts'
import {
  askForNotifications,
  type NotificationState,
  notificationState,
  showNotification,
} from './notifier.ts'

/** What this browser is notified of. It asks for the permission only when its button is pressed. */
export function NotificationSettings() {
  const [state, setState] = useState<NotificationState>(notificationState)
  const [settings, change] = useAlertSettings()
  const t = text.approvals.alerts
  const enable = async () => {
    change({ notify: true })
    setState(await askForNotifications())
  }
  const isOn = state === 'granted' && settings.notify
  return (
    <section aria-label={t.title} className="flex flex-col gap-3 text-sm">
      <p className="text-soft">{t.explains}</p>
      {state === 'unsupported' && <Notice tone="neutral">{t.unsupported}</Notice>}
      {state === 'denied' && <Notice tone="warn">{t.denied}</Notice>}
      {state === 'default' && (
        <Button className="self-start" onClick={() => void enable()}>
          {t.enable}
        </Button>
      )}
      {state === 'granted' && (
        <Setting
          label={t.notifications}
          checked={settings.notify}
          onChange={(notify) => change({ notify })}
        />
      )}
      <Setting
        label={t.whenFinished}
        checked={settings.finished}
        onChange={(finished) => change({ finished })}
      />
      <Setting
        label={t.sound}
        checked={settings.sound}
        onChange={(sound) => {
          change({ sound })
          if (sound) beep()
        }}
      />
      {isOn && (
        <Button size="sm" className="self-start" onClick={() => void showSample()}>
          {t.test}
        </Button>
      )}
    </section>
  )
}

function showSample(): Promise<void> {
  const t = text.approvals.alerts
  return showNotification({ tag: 'sample', title: t.testTitle, body: t.testBody, path: '/inbox' })
}

interface SettingProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Setting({ label, checked, onChange }: SettingProps) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-3 max-sm:min-h-11">
      <span aria-hidden>{label}</span>
      <Switch label={label} checked={checked} onChange={onChange} />
    </div>
  )
}
