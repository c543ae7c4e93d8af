import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { MarkedText } from '../sessions/marked-text.tsx'
import { text } from '../text/later-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ListOption } from '../ui/list-option.tsx'
import { KeyCaps } from './key-caps.tsx'
import { fittingCommands, type PaletteCommand } from './palette-commands.ts'
import { type ShellActions, useCommands } from './use-commands.ts'
import { useTextCommands } from './use-text-commands.ts'

/** One box for everything: sessions, pages, and what can be done. */
export function Palette({ onClose, ...actions }: ShellActions & { onClose: () => void }) {
  const commands = useCommands(actions)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const found = useTextCommands(query)
  const fitting = useMemo(() => fittingCommands(commands, query), [commands, query])
  // Last, so that what comes late moves nothing that is there.
  const groups =
    found.commands.length === 0 ? fitting : [...fitting, { group: 'text' as const, commands: found.commands }]
  const all = groups.flatMap((group) => group.commands)
  const chosen = all[Math.min(at, all.length - 1)]
  const run = (command: PaletteCommand | undefined) => {
    if (!command) return
    onClose()
    // After the dialog has given focus back, so that what opens now keeps it.
    setTimeout(command.run)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && all.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, all.length - 1) + step + all.length) % all.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(chosen)
    }
  }
  return (
    <Dialog open onClose={onClose} title={text.shell.palette.title} hideTitle size="md">
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search aria-hidden size={16} className="shrink-0 text-faint" />
        <input
          autoFocus
          role="combobox"
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && `${id}-${chosen.id}`}
          aria-autocomplete="list"
          aria-label={text.shell.palette.title}
          placeholder={text.shell.palette.placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
          className="h-12 w-full bg-transparent text-base outline-none placeholder:text-faint"
        />
      </div>
      <p role="status" className="sr-only">
        {!found.searching && text.shell.palette.count(all.length)}
      </p>
      {all.length === 0 && (
        <p className="px-4 py-6 text-center text-sm text-soft">
          {found.searching ? text.shell.palette.searching : text.shell.palette.nothing}
        </p>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={text.shell.palette.results}
        className="h-[min(26rem,60dvh)] overflow-y-auto p-2 empty:hidden"
      >
        {groups.map(({ group, commands: some }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this is a part of a listbox.
          <div key={group} role="group" aria-label={text.shell.palette.groups[group]}>
            <p aria-hidden className="px-2 pt-2 pb-1 text-xs font-medium text-soft">
              {text.shell.palette.groups[group]}
            </p>
            {some.map((command) => (
              <Option
                key={command.id}
                id={`${id}-${command.id}`}
                command={command}
                selected={command === chosen}
                onRun={() => run(command)}
                onPoint={() => setAt(all.indexOf(command))}
              />
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

interface OptionProps {
  id: string
  command: PaletteCommand
  selected: boolean
  onRun: () => void
  onPoint: () => void
}

function Option({ id, command, selected, onRun, onPoint }: OptionProps) {
  const { icon: Icon, title, marked, hint, keys } = command
  return (
    <ListOption id={id} selected={selected} onPoint={onPoint} onChoose={onRun}>
      <Icon aria-hidden size={16} className="shrink-0 text-soft" />
      <bdi className="min-w-0 flex-1 truncate" title={title}>
        {marked ? <MarkedText parts={marked} /> : title}
      </bdi>
      {hint !== undefined && <bdi className="max-w-[45%] shrink-0 truncate text-xs text-faint">{hint}</bdi>}
      {keys !== undefined && (
        <span className="max-sm:hidden">
          <KeyCaps keys={keys} />
        </span>
      )}
    </ListOption>
  )
}
