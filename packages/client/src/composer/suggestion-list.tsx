import { File, Folder } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { Spinner } from '../ui/spinner.tsx'
import type { CommandList, Option, Suggestions } from './use-suggestions.ts'

interface SuggestionListProps {
  id: string
  suggestions: Suggestions
  commands: CommandList
  side: 'above' | 'below'
  onChoose: (option: Option) => void
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

/** Focus stays in the text: the list is steered from there. */
export function SuggestionList({ id, suggestions, commands, side, onChoose }: SuggestionListProps) {
  const { trigger, options, active } = suggestions
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  const words = text.composer.suggestions
  return (
    <div
      className={cx(
        'absolute inset-x-0 z-30 overflow-hidden rounded-lg border border-line bg-card shadow-lg',
        side === 'above' ? 'bottom-full mb-2' : 'top-full mt-2',
      )}
    >
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={trigger?.kind === 'command' ? words.commands : words.files}
        className="max-h-[min(18rem,40dvh)] overflow-y-auto p-1"
      >
        {options.map((option, index) => (
          <OptionRow
            key={keyOf(option)}
            id={optionId(id, index)}
            option={option}
            selected={index === active}
            onPoint={() => suggestions.setActive(index)}
            onChoose={() => onChoose(option)}
          />
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
  return option.kind === 'command' ? option.command.name : option.file.path
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

interface OptionRowProps {
  id: string
  option: Option
  selected: boolean
  onPoint: () => void
  onChoose: () => void
}

function OptionRow({ id, option, selected, onPoint, onChoose }: OptionRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the text box, which names the active option.
    // biome-ignore lint/a11y/useFocusableInteractive: the same.
    <div
      id={id}
      role="option"
      aria-selected={selected}
      onMouseMove={() => selected || onPoint()}
      // The text keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cx(
        'flex min-h-9 max-sm:min-h-11 cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-sm',
        selected && 'bg-hover',
      )}
    >
      {option.kind === 'command' ? <CommandRow option={option} /> : <FileRow option={option} />}
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
