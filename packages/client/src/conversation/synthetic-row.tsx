import { CornerDownRight } from 'lucide-react'
import type { UserItem } from '../live/live-session.ts'
import { useOpened } from './conversation-context.tsx'
import { FoldButton } from './fold-button.tsx'
import { readSynthetic } from './synthetic.ts'

export function SyntheticRow({ item, words }: { item: UserItem; words: string }) {
  const [isOpen, setOpen] = useOpened(item.key)
  const synthetic = readSynthetic(words)
  return (
    <div className="py-1">
      <FoldButton
        icon={CornerDownRight}
        label={synthetic.label}
        open={isOpen}
        disabled={synthetic.words === ''}
        onToggle={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <p
          dir="auto"
          className="mt-1 ml-2 max-h-96 overflow-y-auto border-l-2 border-line pl-4 text-sm whitespace-pre-wrap text-soft [overflow-wrap:anywhere]"
        >
          {synthetic.words}
        </p>
      )}
    </div>
  )
}
