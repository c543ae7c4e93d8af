import { useState } from 'react'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { foldText } from './fold-text.ts'
import { SafeText } from './safe-text.tsx'

/** A text of any length inside of others: when it is long, its beginning, how much is folded, and its end. */
export function FoldedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const { head, tail, hiddenLines, hiddenCharacters } = foldText(text)
  if (isOpen || hiddenCharacters === 0) return <SafeText text={text} />
  return (
    <>
      <SafeText text={head} />
      <span className="my-1 flex flex-wrap items-center gap-2 border-y border-dashed border-line-strong py-1 font-sans text-soft">
        {words.render.foldedBetween(hiddenLines, hiddenCharacters)}
        <Button size="sm" onClick={() => setOpen(true)}>
          {words.render.showAll}
        </Button>
      </span>
      <SafeText text={tail} />
    </>
  )
}
