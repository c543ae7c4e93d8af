import { withWords } from '../composer/dictation.ts'
import { changeDraft, messageDraftOf } from '../composer/drafts.ts'
import { insertMention } from '../composer/triggers.ts'

/** Puts a mention of the file at the end of what is being written. */
export function mentionFile(draftKey: string, path: string): void {
  const before = withWords(messageDraftOf(draftKey).text, '')
  const end = { kind: 'mention', query: '', start: before.length, end: before.length } as const
  changeDraft(draftKey, { text: insertMention(before, end, path, 'file').text })
}

/** Where one writes, behind what is there. Once a window that lies over it is gone. */
export function focusMessage(): void {
  const editor = document.querySelector<HTMLTextAreaElement>('[data-message-editor]:not(:disabled)')
  if (!editor) return
  editor.focus()
  editor.setSelectionRange(editor.value.length, editor.value.length)
}
