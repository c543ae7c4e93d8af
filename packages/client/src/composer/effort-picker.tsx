import { type Effort, effortLevels } from '@dorkos/shared'
import { Gauge } from 'lucide-react'
import { text } from '../text/text.ts'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import { PickerButton } from './picker-button.tsx'

interface EffortPickerProps {
  /** Those that the model has. */
  levels: readonly Effort[]
  /** Undefined: the model's own. */
  value: Effort | undefined
  onChange: (effort: Effort | undefined) => void
}

const own = 'own'

export function EffortPicker({ levels, value, onChange }: EffortPickerProps) {
  const words = text.composer
  if (levels.length === 0 && value === undefined) return null
  const shown = value !== undefined && !levels.includes(value) ? [...levels, value] : levels
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <PickerButton
          icon={Gauge}
          name={words.effort}
          value={value === undefined ? words.effortDefault : words.effortNames[value]}
        />
      }
    >
      <MenuChoice
        label={words.effortHint}
        value={value ?? own}
        options={[
          { value: own, label: words.effortDefault, hint: words.effortDefaultHint },
          ...shown.map((level) => ({ value: level, label: words.effortNames[level] })),
        ]}
        onChange={(level) => onChange(effortLevels.find((one) => one === level))}
      />
    </Menu>
  )
}
