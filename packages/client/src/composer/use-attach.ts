/** Takes files that somebody pastes, drops or chooses into the draft. */
import { useCallback } from 'react'
import { text } from '../text/text.ts'
import { toast } from '../ui/toast.tsx'
import { fits, type Refusal } from './attachments.ts'
import { changeDraft, draftOf } from './drafts.ts'
import { readAttachment } from './read-attachment.ts'

export function useAttach(draftKey: string): (files: readonly File[]) => Promise<void> {
  return useCallback(
    async (files) => {
      for (const file of files) {
        const read = await readAttachment(file)
        if ('refused' in read) {
          showRefusal(read.refused, file.name)
          continue
        }
        // What was there when the reading began may be another by now.
        const { attachments } = draftOf(draftKey)
        const refused = fits(attachments, read.attachment)
        if (refused) showRefusal(refused, file.name)
        else changeDraft(draftKey, { attachments: [...attachments, read.attachment], lost: 0 })
      }
    },
    [draftKey],
  )
}

function showRefusal(refused: Refusal, name: string): void {
  toast.error(text.composer.refused[refused](name.slice(0, 200) || text.composer.unnamedFile))
}
