import { Paperclip } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { deferred } from '../ui/deferred.tsx'
import { Notice } from '../ui/notice.tsx'
import { CommandHint } from './command-hint.tsx'
import { DictateButton } from './dictate-button.tsx'
import { changeDraft } from './drafts.ts'
import { DropZone } from './drop-zone.tsx'
import type { Written } from './message-content.ts'
import { useReadingFiles } from './reading-files.ts'
import { isTouch } from './send-keys.ts'
import { useAttach } from './use-attach.ts'
import type { SearchFiles } from './use-file-search.ts'
import { useGrowing } from './use-growing.ts'
import { type MessageBox, useMessageBox } from './use-message-box.ts'
import { type CommandList, optionId } from './use-suggestions.ts'

const AttachmentList = deferred(async () => (await import('./attachment-list.tsx')).AttachmentList)
const SuggestionList = deferred(async () => (await import('./suggestion-list.tsx')).SuggestionList, null)

export interface MessageEditorProps {
  /** The session's id, or `new`. */
  draftKey: string
  placeholder: string
  disabled?: boolean
  /** `danger`: a loud frame. */
  tone?: 'plain' | 'plan' | 'danger'
  /** Where lists of suggestions open. */
  side?: 'above' | 'below'
  focusAtStart?: boolean
  rows?: number
  /** Takes one line on a phone while nobody writes and nothing is written. */
  folds?: boolean
  commands: CommandList
  /** The first letters of a command were typed. */
  onCommandsNeeded?: () => void
  searchFiles?: SearchFiles
  /** Earlier messages, the newest first. */
  history?: () => readonly string[]
  /** True: the message is taken, and the box is emptied. */
  onSubmit: (written: Written, how: 'send' | 'steer') => boolean
  onCycleMode?: () => void
  /** What stands at the end of the box; gets a way to send, and whether there is anything to send. */
  actions: (submit: (how: 'send' | 'steer') => void, isEmpty: boolean) => ReactNode
}

const frames = {
  plain: 'border-field focus-within:border-ink',
  plan: 'border-ink border-dashed',
  danger: 'border-danger-fill ring-2 ring-danger-fill',
}

/** Where messages are written: text, commands, mentions and attachments. */
export function MessageEditor(props: MessageEditorProps) {
  const { draftKey, disabled = false, side = 'above', commands, tone = 'plain' } = props
  const attach = useAttach(draftKey)
  const message = useMessageBox({
    draftKey,
    commands,
    searchFiles: props.searchFiles,
    history: props.history,
    onSubmit: props.onSubmit,
    onCycleMode: props.onCycleMode,
    onFiles: (files) => void attach(files),
  })
  const { draft, suggestions } = message
  const reading = useReadingFiles(draftKey)
  const listId = useId()
  useGrowing(message.box, draft.text)
  useFocusAtStart(message, props.focusAtStart ?? false)
  const needsCommands = suggestions.open && suggestions.trigger?.kind === 'command'
  const { onCommandsNeeded } = props
  useEffect(() => {
    if (needsCommands) onCommandsNeeded?.()
  }, [needsCommands, onCommandsNeeded])
  const hasFiles = draft.attachments.length + reading.length > 0
  const isFolded = props.folds && draft.text === '' && !hasFiles
  const remove = (id: string) =>
    changeDraft(draftKey, { attachments: draft.attachments.filter((one) => one.id !== id) })
  return (
    <div className="relative">
      {!disabled && <DropZone onFiles={(files) => void attach(files)} />}
      {suggestions.open && (
        <SuggestionList
          id={listId}
          suggestions={suggestions}
          commands={commands}
          side={side}
          onChoose={message.choose}
        />
      )}
      <div className={cx('rounded-xl border bg-card', frames[tone], disabled && 'opacity-80')}>
        {draft.lost > 0 && (
          <div className="p-2 pb-0">
            <Notice tone="warn">{text.composer.attachmentsLost(draft.lost)}</Notice>
          </div>
        )}
        {hasFiles && (
          <div className="px-2 pt-2">
            <AttachmentList
              attachments={draft.attachments}
              onRemove={remove}
              reading={{ draftKey, files: reading }}
            />
          </div>
        )}
        {/* On a phone that nobody writes on, all of it is one line: the conversation has the room. */}
        <div className={cx(isFolded && 'max-sm:flex max-sm:items-center max-sm:focus-within:block')}>
          <TextBox message={message} listId={listId} {...props} disabled={disabled} />
          <CommandHint text={draft.text} commands={commands} hidden={suggestions.open} />
          <div className="flex items-center gap-1 p-1.5 pt-0 max-sm:pt-1.5">
            {!disabled && (
              <>
                <AttachButton onFiles={(files) => void attach(files)} />
                <DictateButton draftKey={draftKey} />
              </>
            )}
            <span role="status" className="min-w-0 flex-1 truncate px-1 text-right text-xs text-soft">
              {message.isWaiting && text.composer.waitsForFiles(reading.length)}
            </span>
            {props.actions(message.submit, message.isEmpty)}
          </div>
        </div>
      </div>
    </div>
  )
}

interface TextBoxProps {
  message: MessageBox
  listId: string
  placeholder: string
  disabled: boolean
  rows?: number
}

function TextBox({ message, listId, placeholder, disabled, rows = 1 }: TextBoxProps) {
  const { suggestions } = message
  return (
    <textarea
      ref={message.box}
      value={message.draft.text}
      {...message.handlers}
      rows={rows}
      dir="auto"
      disabled={disabled}
      placeholder={placeholder}
      aria-label={text.composer.label}
      enterKeyHint={isTouch() ? 'enter' : 'send'}
      {...(suggestions.open && {
        role: 'combobox',
        'aria-expanded': true,
        'aria-autocomplete': 'list',
        'aria-controls': listId,
        'aria-activedescendant':
          suggestions.options.length > 0 ? optionId(listId, suggestions.active) : undefined,
      })}
      data-message-editor
      className="block w-full resize-none bg-transparent px-3 pt-2.5 pb-1 text-[0.9375rem] leading-6 text-text outline-none placeholder:text-faint disabled:cursor-not-allowed"
    />
  )
}

function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={text.composer.attach} icon={Paperclip} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={text.composer.attach}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** With the caret behind what was written before. Not where it would open a keyboard over the page. */
function useFocusAtStart({ box }: MessageBox, wanted: boolean): void {
  useEffect(() => {
    if (!wanted || isTouch() || !box.current) return
    box.current.focus({ preventScroll: true })
    const end = box.current.value.length
    box.current.setSelectionRange(end, end)
  }, [box, wanted])
}
