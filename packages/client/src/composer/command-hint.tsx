import { withVisibleControls } from '../render/safe-text.tsx'
import type { CommandList } from './use-suggestions.ts'

/** What a command at the start of the message does, and what it takes. */
export function CommandHint({
  text,
  commands,
  hidden,
}: {
  text: string
  commands: CommandList
  hidden: boolean
}) {
  const name = /^\/(\S+)/.exec(text)?.[1]
  if (hidden || name === undefined || commands.state !== 'ready') return null
  const command = commands.commands.find((one) => one.name === name || one.aliases.includes(name))
  if (!command) return null
  return (
    <p className="flex min-w-0 items-baseline gap-2 px-3 pb-1 text-xs text-soft">
      {command.argumentHint !== '' && (
        <bdi className="max-w-[50%] shrink-0 truncate font-mono">
          {withVisibleControls(command.argumentHint)}
        </bdi>
      )}
      <span dir="auto" title={command.description} className="min-w-0 truncate">
        {command.description}
      </span>
    </p>
  )
}
