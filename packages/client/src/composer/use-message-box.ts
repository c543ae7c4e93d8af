/** The text box of a message: its draft, its caret, its suggestions and its keys. */
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { text } from '../text/text.ts'
import { toast } from '../ui/toast.tsx'
import { changeDraft, clearDraft, type MessageDraft, messageDraftOf, useDraft } from './drafts.ts'
import { type EditorKeyPress, editorAction, listAction } from './editor-keys.ts'
import { beginRecall, type Recall, recallStep } from './history.ts'
import type { Written } from './message-content.ts'
import { type ReadingFile, readingFiles, useReadingFiles } from './reading-files.ts'
import { isTouch, sendsWithCommand } from './send-keys.ts'
import type { SearchFiles } from './use-file-search.ts'
import { type CommandList, type Option, type Suggestions, useSuggestions } from './use-suggestions.ts'

export interface MessageBoxOptions {
  draftKey: string
  commands: CommandList
  searchFiles: SearchFiles | undefined
  history: (() => readonly string[]) | undefined
  onSubmit: (written: Written, how: 'send' | 'steer') => boolean
  onCycleMode: (() => void) | undefined
  /** Attachments alone are no message here. */
  onFiles: (files: File[]) => void
}

export interface MessageBox {
  draft: MessageDraft
  box: RefObject<HTMLTextAreaElement | null>
  suggestions: Suggestions
  isEmpty: boolean
  /** To be sent as soon as its files are read. */
  isWaiting: boolean
  submit: (how: 'send' | 'steer') => void
  choose: (option: Option) => void
  handlers: {
    onChange: () => void
    onSelect: () => void
    onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
    onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void
    onBlur: () => void
  }
}

const maxText = 1_000_000

export function useMessageBox(options: MessageBoxOptions): MessageBox {
  const { draftKey, onSubmit, onFiles } = options
  const draft = useDraft(draftKey)
  const box = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const edit = useEdit(draftKey, box, setCaret)
  const suggestions = useSuggestions(draft.text, caret, options.commands, options.searchFiles)
  const reading = useReadingFiles(draftKey)
  const isEmpty = draft.text.trim() === '' && draft.attachments.length + reading.length === 0
  const [waits, setWaits] = useState<'send' | 'steer'>()

  const submit = (how: 'send' | 'steer') => {
    const open = readingFiles(draftKey)
    // Without one that could not be read it would be another message.
    if (open.length > 0) return setWaits(open.some(({ failed }) => failed) ? undefined : how)
    setWaits(undefined)
    const { text: written, attachments } = messageDraftOf(draftKey)
    if (written.trim() === '' && attachments.length === 0) return
    if (written.length > maxText) return toast.error(text.composer.tooLong)
    if (onSubmit({ text: written, attachments }, how)) clearDraft(draftKey)
    box.current?.focus()
  }
  useSendWhenRead(reading, waits, setWaits, submit)
  const choose = (option: Option) => {
    const edited = suggestions.apply(option)
    if (edited) edit(edited.text, edited.caret)
    box.current?.focus()
  }
  const recall = useRecall(options, edit)
  const readCaret = () => setCaret(box.current?.selectionEnd ?? 0)
  return {
    draft,
    box,
    suggestions,
    isEmpty,
    isWaiting: waits !== undefined,
    submit,
    choose,
    handlers: {
      onChange: () => {
        changeDraft(draftKey, { text: box.current?.value ?? '' })
        readCaret()
      },
      onSelect: readCaret,
      onKeyDown: (event) =>
        handleKey(event, { suggestions, submit, choose, recall, cycle: options.onCycleMode }),
      onPaste: (event) => {
        const files = [...event.clipboardData.files]
        // Tables and formatted text come with a picture of themselves; the text is what is meant.
        if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
        event.preventDefault()
        onFiles(files)
      },
      onBlur: suggestions.close,
    },
  }
}

/** Somebody has sent it while its files were being read. One that cannot be read keeps it back. */
function useSendWhenRead(
  reading: readonly ReadingFile[],
  waits: 'send' | 'steer' | undefined,
  setWaits: (waits: undefined) => void,
  submit: (how: 'send' | 'steer') => void,
): void {
  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    if (waits === undefined) return
    if (reading.some(({ failed }) => failed)) setWaits(undefined)
    else if (reading.length === 0) latest.current(waits)
  }, [reading, waits, setWaits])
}

/** Changes text and caret at once; the caret is set once the text is in the box. */
function useEdit(
  draftKey: string,
  box: RefObject<HTMLTextAreaElement | null>,
  setCaret: (caret: number) => void,
) {
  const wanted = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    box.current?.setSelectionRange(wanted.current, wanted.current)
    wanted.current = undefined
  })
  return useCallback(
    (value: string, caret: number) => {
      wanted.current = caret
      changeDraft(draftKey, { text: value })
      setCaret(caret)
    },
    [draftKey, setCaret],
  )
}

type Edit = (value: string, caret: number) => void

/** Going back through earlier messages. False: the key means something else here. */
function useRecall(
  { draftKey, history }: MessageBoxOptions,
  edit: Edit,
): (box: HTMLTextAreaElement, step: 1 | -1) => boolean {
  const recall = useRef<Recall>(undefined)
  return (box, step) => {
    const { value, selectionStart, selectionEnd } = box
    if (!history || selectionStart !== selectionEnd) return false
    const current = recall.current
    const shown = current && (current.at === -1 ? current.draft : current.texts[current.at])
    const isGoingOn = current !== undefined && current.at >= 0 && shown === value
    const atEdge = selectionStart === 0 || (isGoingOn && selectionStart === value.length)
    if (!atEdge || (!isGoingOn && step === -1)) return false
    const next = recallStep(isGoingOn ? current : beginRecall(history(), messageDraftOf(draftKey).text), step)
    if (!next) return isGoingOn && step === -1
    recall.current = next.recall
    edit(next.text, next.text.length)
    return true
  }
}

interface KeyContext {
  suggestions: Suggestions
  submit: (how: 'send' | 'steer') => void
  choose: (option: Option) => void
  recall: (box: HTMLTextAreaElement, step: 1 | -1) => boolean
  cycle: (() => void) | undefined
}

function handleKey(event: KeyboardEvent<HTMLTextAreaElement>, context: KeyContext): void {
  const press = toPress(event)
  if (context.suggestions.open && handleListKey(press, context)) return event.preventDefault()
  const action = editorAction(press, { sendWithCommand: sendsWithCommand(), touch: isTouch() })
  if (action === undefined) return
  if (action === 'older' || action === 'newer') {
    if (context.recall(event.currentTarget, action === 'older' ? 1 : -1)) event.preventDefault()
    return
  }
  if (action === 'cycle-mode' && !context.cycle) return
  event.preventDefault()
  if (action === 'cycle-mode') context.cycle?.()
  else context.submit(action)
}

/** True: the key was for the list. */
function handleListKey(press: EditorKeyPress, { suggestions, choose }: KeyContext): boolean {
  const { options, active } = suggestions
  const action = listAction(press)
  if (action === 'close') {
    suggestions.close()
    return true
  }
  const option = options[active]
  if (action === undefined || option === undefined) return false
  if (action === 'choose') {
    // The command stands there in full already: Enter means the message.
    if (press.key === 'Enter' && isComplete(suggestions, option)) {
      suggestions.close()
      return false
    }
    choose(option)
    return true
  }
  const step = action === 'next' ? 1 : -1
  suggestions.setActive((active + step + options.length) % options.length)
  return true
}

function isComplete({ trigger }: Suggestions, option: Option): boolean {
  if (option.kind !== 'command' || trigger?.kind !== 'command') return false
  const { name, aliases } = option.command
  return trigger.query === name || aliases.includes(trigger.query)
}

function toPress(event: KeyboardEvent): EditorKeyPress {
  const { key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent } = event
  return {
    key,
    shiftKey,
    altKey,
    commandKey: ctrlKey || metaKey,
    // Safari ends the composition before the key that ended it: 229 identifies that key.
    composing: nativeEvent.isComposing || nativeEvent.keyCode === 229,
  }
}
