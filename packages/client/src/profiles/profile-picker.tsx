import { useQuery } from '@tanstack/react-query'
import { UserRoundCog } from 'lucide-react'
import { PickerButton } from '../composer/picker-button.tsx'
import { text } from '../text/later-text.ts'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import { profilesQuery } from './profiles-query.ts'

const none = ' none'

interface ProfilePickerProps {
  workspaceId: string | undefined
  /** Undefined: none. */
  value: string | undefined
  onChange: (profile: string | undefined) => void
}

/** The profile of a session to come: those that can be used in the workspace. */
export function ProfilePicker({ workspaceId, value, onChange }: ProfilePickerProps) {
  const words = text.composer.fresh
  const { data } = useQuery(profilesQuery(workspaceId))
  const usable = (data?.profiles ?? []).filter(
    ({ faults, untrusted, overridden_by }) =>
      faults.length === 0 && !untrusted && overridden_by === undefined,
  )
  return (
    <Menu
      side="top"
      align="start"
      trigger={<PickerButton icon={UserRoundCog} name={words.profile} value={value ?? words.profileNone} />}
    >
      <MenuChoice
        label={words.profile}
        value={value ?? none}
        options={[
          { value: none, label: words.profileNone, hint: words.profileNoneHint },
          ...usable.map(({ name, description = '' }) => ({
            value: name,
            label: name,
            ...(description !== '' && { hint: description }),
          })),
        ]}
        onChange={(profile) => onChange(profile === none ? undefined : profile)}
      />
    </Menu>
  )
}
