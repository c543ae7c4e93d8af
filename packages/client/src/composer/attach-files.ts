/** Takes files into a draft: all are read at once, and come in their order. */
import { text } from '../text/text.ts'
import { toast } from '../ui/toast.tsx'
import { type AttachmentRefusal, fits } from './attachments.ts'
import { changeDraft, messageDraftOf } from './drafts.ts'
import { newKey } from './new-key.ts'
import { type ReadAttachment, readAttachment } from './read-attachment.ts'
import { type ReadingFile, readingFiles, removeReadingFile, setReadingFiles } from './reading-files.ts'

/** Those that do not go into a message are named. */
export async function attachFiles(draftKey: string, files: readonly File[]): Promise<void> {
  const begun = files.map((file): ReadingFile => ({ id: newKey(), file, progress: 0, failed: false }))
  setReadingFiles(draftKey, [...readingFiles(draftKey), ...begun])
  const read = begun.map((one) => readOne(draftKey, one))
  for (const [index, one] of begun.entries()) finish(draftKey, one, await read[index])
}

/** One that could not be read. */
export async function readAgain(draftKey: string, one: ReadingFile): Promise<void> {
  change(draftKey, one.id, { progress: 0, failed: false })
  finish(draftKey, one, await readOne(draftKey, one))
}

function readOne(draftKey: string, { id, file }: ReadingFile): Promise<ReadAttachment | undefined> {
  return readAttachment(file, (progress) => change(draftKey, id, { progress })).catch(() => undefined)
}

function finish(draftKey: string, { id, file }: ReadingFile, read: ReadAttachment | undefined): void {
  // Taken back meanwhile.
  if (!readingFiles(draftKey).some((one) => one.id === id)) return
  if (!read) return change(draftKey, id, { failed: true })
  if ('refused' in read) showRefusal(read.refused, file.name)
  else {
    const { attachments } = messageDraftOf(draftKey)
    const refused = fits(attachments, read.attachment)
    if (refused) showRefusal(refused, file.name)
    else changeDraft(draftKey, { attachments: [...attachments, read.attachment], lost: 0 })
  }
  removeReadingFile(draftKey, id)
}

function change(draftKey: string, id: string, news: Partial<ReadingFile>): void {
  setReadingFiles(
    draftKey,
    readingFiles(draftKey).map((one) => (one.id === id ? { ...one, ...news } : one)),
  )
}

function showRefusal(refused: AttachmentRefusal, name: string): void {
  toast.error(text.composer.refused[refused](name.slice(0, 200) || text.composer.unnamedFile))
}
