import { Keyboard } from 'lucide-react'
import { text } from '../text/text.ts'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import { PickerButton } from './picker-button.tsx'
import { commandKeyName, setSendsWithCommand, useSendsWithCommand } from './send-keys.ts'

/** Which keys send. Not on touch screens, where it is the button. */
export function KeysMenu() {
  const withCommand = useSendsWithCommand()
  const words = text.composer
  const commandLabel = words.keysCommand(commandKeyName)
  return (
    <Menu
      side="top"
      trigger={
        <PickerButton
          icon={Keyboard}
          name={words.keysTitle}
          value={withCommand ? commandLabel : words.keysEnter}
        />
      }
    >
      <MenuChoice
        label={words.keysTitle}
        value={withCommand ? 'command' : 'enter'}
        options={[
          { value: 'enter', label: words.keysEnter, hint: words.keysEnterHint },
          { value: 'command', label: commandLabel, hint: words.keysCommandHint },
        ]}
        onChange={(value) => setSendsWithCommand(value === 'command')}
      />
    </Menu>
  )
}
