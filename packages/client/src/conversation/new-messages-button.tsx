import { ArrowDown } from 'lucide-react'
import { text } from '../text/text.ts'

/** Leads back to the end for one who reads further up. */
export function NewMessagesButton({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
      <button
        type="button"
        onClick={onPress}
        className="pointer-events-auto flex min-h-9 items-center gap-1.5 rounded-full border border-line-strong bg-card px-3.5 text-sm font-medium shadow-md transition-colors hover:bg-hover max-sm:min-h-11"
      >
        <ArrowDown aria-hidden size={16} className={count > 0 ? 'text-accent' : 'text-soft'} />
        {text.conversation.newMessages(count)}
      </button>
    </div>
  )
}
