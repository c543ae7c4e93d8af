import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { NotificationSettings } from '../approvals/alerts/notification-settings.tsx'
import { useInstall } from '../browser/install.ts'
import { setTheme, themes, useTheme } from '../browser/theme.ts'
import { commandKeyName, setSendsWithCommand, useSendsWithCommand } from '../composer/send-keys.ts'
import { useDiffLayout } from '../render/use-diff-layout.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'

/** What this browser keeps for itself. */
export function PageSettings() {
  const t = text.settings
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="font-semibold">{t.here}</h2>
        <p className="text-sm text-soft">{t.hereLead}</p>
      </div>
      <ThemeSetting />
      <SendKeySetting />
      <DiffSetting />
      <Setting title={t.notifications} stacked>
        <NotificationSettings />
      </Setting>
      <InstallSetting />
    </Card>
  )
}

interface SettingProps {
  title: string
  hint?: string
  /** What is set stands below its name. */
  stacked?: boolean
  children: ReactNode
}

function Setting({ title, hint, stacked, children }: SettingProps) {
  return (
    <div
      className={
        stacked ? 'flex flex-col gap-2' : 'flex flex-wrap items-center justify-between gap-x-4 gap-y-2'
      }
    >
      <div className="min-w-0">
        <h3 className="text-sm font-medium">{title}</h3>
        {hint !== undefined && <p className="text-xs text-soft">{hint}</p>}
      </div>
      {children}
    </div>
  )
}

function ThemeSetting() {
  const theme = useTheme()
  return (
    <Setting title={text.shell.theme}>
      <Segments
        label={text.shell.theme}
        hideLabel
        value={theme}
        options={themes.map((one) => ({ value: one, label: text.shell.themes[one] }))}
        onChange={setTheme}
      />
    </Setting>
  )
}

function SendKeySetting() {
  const withCommand = useSendsWithCommand()
  const { keysEnter, keysCommand, keysEnterHint, keysCommandHint } = text.composer
  return (
    <Setting title={text.settings.sendKey} hint={withCommand ? keysCommandHint : keysEnterHint}>
      <Segments
        label={text.settings.sendKey}
        hideLabel
        value={withCommand ? 'command' : 'enter'}
        options={[
          { value: 'enter', label: keysEnter },
          { value: 'command', label: keysCommand(commandKeyName) },
        ]}
        onChange={(value) => setSendsWithCommand(value === 'command')}
      />
    </Setting>
  )
}

function DiffSetting() {
  const t = text.settings
  const [layout, setLayout] = useDiffLayout()
  return (
    <Setting title={t.diffs} hint={t.diffPhone}>
      <Segments
        label={t.diffs}
        hideLabel
        value={layout}
        options={(['unified', 'split'] as const).map((one) => ({ value: one, label: t.diffLayouts[one] }))}
        onChange={setLayout}
      />
    </Setting>
  )
}

function InstallSetting() {
  const t = text.settings
  const install = useInstall()
  return (
    <Setting title={t.install} hint={install ? t.installLead : t.installHow}>
      {install && (
        <Button icon={Download} onClick={install}>
          {t.installAction}
        </Button>
      )}
    </Setting>
  )
}
