/** Takes files that somebody pastes, drops or chooses into the draft. What reads them comes with the first. */
import { useCallback } from 'react'
import { errorText } from '../api.ts'
import { fetchLater } from '../ui/deferred.tsx'
import { toast } from '../ui/toast.tsx'

let parts: typeof import('./attach-files.ts') | undefined
const load = fetchLater(async () => {
  parts = await import('./attach-files.ts')
})

export function useAttach(draftKey: string): (files: readonly File[]) => Promise<void> {
  return useCallback(
    async (files) => {
      if (files.length === 0) return
      try {
        await load()
      } catch (error) {
        toast.error(errorText(error))
      }
      await parts?.attachFiles(draftKey, files)
    },
    [draftKey],
  )
}
