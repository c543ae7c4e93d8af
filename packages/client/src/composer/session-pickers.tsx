import type { PermissionMode, Session } from '@dorkos/shared'
import { useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { BypassConfirm } from './bypass-confirm.tsx'
import { EffortPicker } from './effort-picker.tsx'
import { KeysMenu } from './keys-menu.tsx'
import { ModePicker } from './mode-picker.tsx'
import { ModelPicker } from './model-picker.tsx'
import { findModel, type Model } from './models.ts'
import type { useSessionChange } from './use-session-change.ts'

interface SessionPickersProps extends ReturnType<typeof useSessionChange> {
  session: Session
  models: readonly Model[]
}

/** Model, permission mode and effort of a session that is there. */
export function SessionPickers({ session, models, settings, change }: SessionPickersProps) {
  const canApprove = useCan('approve')
  const [asksBypass, setAsksBypass] = useState(false)
  const choose = (mode: PermissionMode) => {
    if (mode === settings.permission_mode) return
    if (mode === 'bypassPermissions') setAsksBypass(true)
    else void change({ permission_mode: mode })
  }
  const levels = findModel(models, settings.model)?.efforts ?? []
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1">
      <ModePicker value={settings.permission_mode} canApprove={canApprove} onChange={choose} />
      <ModelPicker
        models={models}
        value={settings.model}
        onChange={(model) => void change({ model: model ?? null })}
        demo={session.demo}
      />
      <EffortPicker
        levels={levels}
        value={settings.effort}
        onChange={(effort) => void change({ effort: effort ?? null })}
      />
      <span className="ml-auto hidden sm:block pointer-coarse:hidden">
        <KeysMenu />
      </span>
      <BypassConfirm
        open={asksBypass}
        onClose={() => setAsksBypass(false)}
        onConfirm={() => change({ permission_mode: 'bypassPermissions' })}
      />
    </div>
  )
}
