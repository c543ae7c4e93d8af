import { MessageSquare } from 'lucide-react'
import { FoldButton } from '../fold-button.tsx'

interface FoldTextProps {
  label: string
  words: string
  open: boolean
  onToggle: () => void
}

/** A long text of the agent's behind a line. */
export function FoldText({ label, words, open, onToggle }: FoldTextProps) {
  return (
    <div>
      <FoldButton icon={MessageSquare} label={label} open={open} onToggle={onToggle} />
      {open && (
        <p
          dir="auto"
          className="mb-1 ml-2 max-h-80 overflow-y-auto border-l-2 border-line pl-4 text-sm whitespace-pre-wrap text-soft [overflow-wrap:anywhere]"
        >
          {words}
        </p>
      )}
    </div>
  )
}
