import { Sparkles } from 'lucide-react'
import { memo } from 'react'
import type { ThinkingItem } from '../live/live-session.ts'
import { Markdown } from '../render/markdown.tsx'
import { text } from '../text/text.ts'
import { formatDuration } from '../ui/format.ts'
import { useOpened } from './conversation-context.tsx'
import { FoldButton } from './fold-button.tsx'

export const ThinkingRow = memo(function ThinkingRow({ item }: { item: ThinkingItem }) {
  const [isOpen, setOpen] = useOpened(item.key)
  const ms = item.durationMs ?? 0
  const label = item.streaming
    ? text.conversation.thinking
    : ms >= 500
      ? text.conversation.thoughtFor(formatDuration(ms))
      : text.conversation.thought
  return (
    <div className="py-1">
      <FoldButton
        icon={Sparkles}
        label={<span className={item.streaming ? 'motion-safe:animate-pulse' : ''}>{label}</span>}
        open={isOpen}
        disabled={item.text.trim() === ''}
        onToggle={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div className="mt-1 ml-2 border-l-2 border-line pl-4 text-[0.92em] text-soft">
          <Markdown text={item.text} streaming={item.streaming} />
        </div>
      )}
    </div>
  )
})
