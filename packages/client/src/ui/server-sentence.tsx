import type { Said } from '@dorkos/shared'
import { SafeText } from '../render/safe-text.tsx'
import { useServerWords } from '../text/server-words.ts'

/** What the server says, in the page's words. */
export function ServerSentence({ said, message }: { said: Said | undefined; message: string }) {
  const inWords = useServerWords()
  return <SafeText text={inWords(said, message)} />
}
