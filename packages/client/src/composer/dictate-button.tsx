import { Mic, MicOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import { dictate, type Recognition, recognitionOf, withWords } from './dictation.ts'
import { changeDraft, messageDraftOf } from './drafts.ts'

/** Writes down what is said, where the browser can. */
export function DictateButton({ draftKey }: { draftKey: string }) {
  const Made = recognitionOf(window)
  const running = useRef<Recognition>(undefined)
  const [listens, setListens] = useState(false)
  useEffect(() => () => running.current?.abort(), [])
  if (!Made) return null
  const words = text.dictation
  const start = () => {
    setListens(true)
    running.current = dictate(Made, navigator.language, {
      onWords: (said) => changeDraft(draftKey, { text: withWords(messageDraftOf(draftKey).text, said) }),
      onEnd: (fault) => {
        setListens(false)
        running.current = undefined
        if (fault !== undefined) toast.error(fault === 'not-allowed' ? words.notAllowed : words.failed(fault))
      },
    })
  }
  return (
    <IconButton
      label={listens ? words.stop : words.start}
      icon={listens ? MicOff : Mic}
      active={listens}
      aria-pressed={listens}
      onClick={() => (listens ? running.current?.stop() : start())}
    />
  )
}
