/** Files as they were before a message: what putting them back would do, and what the person chose of it. */
import { ApiError, type RestoredFiles } from '@dorkos/shared'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { text } from '../text/resend-text.ts'
import { toast } from '../ui/toast.tsx'
import { useConversation } from './conversation-context.tsx'

type AskedFile = RestoredFiles['asking'][number]

export interface Restore {
  isOn: boolean
  setOn(isOn: boolean): void
  /** Undefined data: nothing is known of the files before this message. */
  preview: UseQueryResult<RestoredFiles | null>
  isChosen(file: AskedFile): boolean
  choose(file: AskedFile, isChosen: boolean): void
  /** Does it. Rejects where something is not as it was shown; it is then shown anew. */
  run(): Promise<void>
}

/** A file that has changed since it was chosen is another, and is asked about again. */
const keyOf = ({ path, hash }: AskedFile) => `${hash} ${path}`

export function useRestore(messageId: string): Restore {
  const { sessionId } = useConversation()
  const [isOn, setOn] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const restore = (body: { dry_run: boolean; seen?: { path: string; hash: string }[] }) =>
    api.restoreFiles({ params: { id: sessionId }, body: { turn_id: messageId, ...body } })
  const preview = useQuery({
    queryKey: ['restore', sessionId, messageId],
    queryFn: () => restore({ dry_run: true }).catch(unknownTurn),
    enabled: isOn,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const isChosen = (file: AskedFile) => chosen.has(keyOf(file))
  return {
    isOn,
    setOn,
    preview,
    isChosen,
    choose(file, isNow) {
      const next = new Set(chosen)
      if (isNow) next.add(keyOf(file))
      else next.delete(keyOf(file))
      setChosen(next)
    },
    async run() {
      const shown = preview.data
      if (!shown) return
      const seen = shown.asking.filter(isChosen).map(({ path, hash }) => ({ path, hash }))
      const done = await restore({ dry_run: false, seen }).catch(async (error: unknown) => {
        await preview.refetch()
        throw error
      })
      if (done.restored.length > 0) toast.ok(text.resend.restored(done.restored.length))
      const left = leftOut(shown, seen, done)
      if (left.length > 0) toast.error(text.resend.restoreLeft(left.join(', ')))
    },
  }
}

/** What was to be put back and was not, since somebody changed it meanwhile. */
export function leftOut(
  shown: RestoredFiles,
  seen: readonly { path: string }[],
  done: RestoredFiles,
): string[] {
  const wanted = new Set([...shown.restored, ...seen.map(({ path }) => path)])
  return done.asking.map(({ path }) => path).filter((path) => wanted.has(path))
}

/** A message from before DorkOS had the session, or from before a fork. */
function unknownTurn(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
