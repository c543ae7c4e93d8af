import { type PermissionMode, permissionModes } from '@dorkos/shared'
import type { LucideIcon } from 'lucide-react'
import { Hand, Map as MapIcon, ShieldBan, ShieldOff, SquarePen } from 'lucide-react'
import { text } from '../text/text.ts'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import { isPermissionMode, mayChoose } from './permission-modes.ts'
import { PickerButton } from './picker-button.tsx'

interface ModePickerProps {
  value: PermissionMode
  canApprove: boolean
  onChange: (mode: PermissionMode) => void
}

const icons: Record<PermissionMode, LucideIcon> = {
  default: Hand,
  acceptEdits: SquarePen,
  plan: MapIcon,
  dontAsk: ShieldBan,
  bypassPermissions: ShieldOff,
}

export function toneOf(mode: PermissionMode): 'plain' | 'plan' | 'danger' {
  if (mode === 'bypassPermissions') return 'danger'
  return mode === 'plan' ? 'plan' : 'plain'
}

export function ModePicker({ value, canApprove, onChange }: ModePickerProps) {
  const words = text.composer
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <PickerButton
          icon={icons[value]}
          name={words.mode}
          value={words.modeNames[value]}
          tone={toneOf(value)}
        />
      }
    >
      <MenuChoice
        label={words.mode}
        value={value}
        options={modeOptions(canApprove)}
        onChange={(mode) => isPermissionMode(mode) && onChange(mode)}
      />
    </Menu>
  )
}

function modeOptions(canApprove: boolean) {
  const words = text.composer
  return permissionModes.map((mode) => {
    const allowed = mayChoose(mode, canApprove)
    return {
      value: mode,
      label: words.modeNames[mode],
      hint: allowed ? words.modeHints[mode] : words.modeNeedsApprove,
      danger: mode === 'bypassPermissions',
      disabled: !allowed,
    }
  })
}
