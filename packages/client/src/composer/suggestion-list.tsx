import { File, Folder } from 'lucide-react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { ListOption } from '../ui/list-option.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { type CommandList, type Option, optionId, type Suggestions } from './use-suggestions.ts'

interface SuggestionListProps {
  id: string
  suggestions: Suggestions
  commands: CommandList
  side: 'above' | 'below'
  onChoose: (option: Option) => void
}

const listNames = { command: 'commands', mention: 'files', memory: 'notes' } as const

/** Focus stays in the text: the list is steered from there. */
export function SuggestionList({ id, suggestions, commands, side, onChoose }: SuggestionListProps) {
  const { trigger, options, active } = suggestions
  const words = text.composer.suggestions
  return (
    <div
      className={cx(
        'absolute inset-x-0 z-30 overflow-hidden rounded-lg border border-line bg-card shadow-lg',
        side === 'above' ? 'bottom-full mb-2' : 'top-full mt-2',
      )}
    >
      <div
        id={id}
        role="listbox"
        aria-label={trigger && words[listNames[trigger.kind]]}
        className="max-h-[min(18rem,40dvh)] overflow-y-auto p-1"
      >
        {options.map((option, index) => (
          <ListOption
            key={keyOf(option)}
            id={optionId(id, index)}
            selected={index === active}
            onPoint={() => suggestions.setActive(index)}
            onChoose={() => onChoose(option)}
          >
            <OptionRow option={option} />
          </ListOption>
        ))}
      </div>
      {options.length === 0 && <Instead suggestions={suggestions} commands={commands} />}
      <div role="status" className="sr-only">
        {options.length > 0 && words.count(options.length)}
      </div>
    </div>
  )
}

function keyOf(option: Option): string {
  if (option.kind === 'memory') return option.scope
  return option.kind === 'command' ? option.command.name : option.file.path
}

function OptionRow({ option }: { option: Option }) {
  if (option.kind === 'memory') return text.composer.remember.scopes[option.scope]
  return option.kind === 'command' ? <CommandRow option={option} /> : <FileRow option={option} />
}

function Instead({ suggestions, commands }: { suggestions: Suggestions; commands: CommandList }) {
  const words = text.composer.suggestions
  const isBusy = suggestions.status === 'searching' || suggestions.status === 'starting'
  const sentence =
    suggestions.trigger?.kind === 'mention'
      ? isBusy
        ? words.searching
        : words.noFiles
      : commands.state === 'ready'
        ? words.noCommands
        : commands.state === 'starting'
          ? words.starting
          : commands.reason
  return (
    <div role="status" className="flex items-center gap-2 px-3 pt-1 pb-3 text-sm text-soft">
      {isBusy && <Spinner />}
      {sentence}
    </div>
  )
}

function CommandRow({ option: { command } }: { option: Extract<Option, { kind: 'command' }> }) {
  return (
    <>
      <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-2">
        <bdi className="block max-w-full shrink-0 truncate font-mono text-[0.8125rem] sm:max-w-[60%]">
          {`/${withVisibleControls(command.name)}`}
          {command.argumentHint !== '' && (
            <span className="text-faint"> {withVisibleControls(command.argumentHint)}</span>
          )}
        </bdi>
        <span dir="auto" title={command.description} className="block min-w-0 truncate text-xs text-soft">
          {command.description}
        </span>
      </span>
      <span className="shrink-0 text-xs text-faint">{text.composer.suggestions.sources[command.source]}</span>
    </>
  )
}

function FileRow({ option: { file } }: { option: Extract<Option, { kind: 'file' }> }) {
  const path = withVisibleControls(file.path)
  const cut = path.replace(/\/$/, '').lastIndexOf('/') + 1
  const Icon = file.kind === 'directory' ? Folder : File
  return (
    <>
      <Icon aria-hidden size={15} className="shrink-0 text-faint" />
      <bdi title={path} className="flex min-w-0 flex-1 items-baseline gap-2 font-mono text-[0.8125rem]">
        <span className="max-w-full shrink-0 truncate">{path.slice(cut)}</span>
        <span className="min-w-0 truncate text-xs text-faint">{path.slice(0, cut)}</span>
      </bdi>
      {file.kind === 'directory' && (
        <span className="shrink-0 text-xs text-faint">{text.composer.suggestions.directory}</span>
      )}
    </>
  )
}
