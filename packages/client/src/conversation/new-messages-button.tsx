import { ArrowDown } from 'lucide-react'
import { text } from '../text/text.ts'

/** Leads back to the end for one who reads further up. In the middle, above the composer: nothing that can be pressed is below it. */
export function NewMessagesButton({ count, onPress }: { count: number; onPress: () => void }) {
  const words = text.conversation.newMessages(count)
  return (
    <button
      type="button"
      onClick={onPress}
      aria-label={words}
      title={words}
      className="absolute bottom-2 left-1/2 flex size-9 -translate-x-1/2 items-center justify-center rounded-full border border-line-strong bg-card shadow-md transition-colors hover:bg-hover"
    >
      <ArrowDown aria-hidden size={18} className={count > 0 ? 'text-text' : 'text-soft'} />
      {count > 0 && (
        <span
          aria-hidden
          className="absolute -top-1.5 -right-1 min-w-5 rounded-full bg-ink px-1 text-center text-xs leading-5 font-medium text-on-ink tabular-nums"
        >
          {text.conversation.newCount(count)}
        </span>
      )}
    </button>
  )
}
