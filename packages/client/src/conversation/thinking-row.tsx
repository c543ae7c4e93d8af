import { Sparkles } from 'lucide-react'
import { memo } from 'react'
import type { ThinkingItem } from '../live/page-session.ts'
import { Markdown } from '../render/markdown.tsx'
import { text } from '../text/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { formatDuration } from '../ui/format.ts'
import { useOpened } from './conversation-context.tsx'

export const ThinkingRow = memo(function ThinkingRow({ item }: { item: ThinkingItem }) {
  const ms = item.durationMs ?? 0
  const label = item.streaming
    ? text.conversation.thinking
    : ms >= 500
      ? text.conversation.thoughtFor(formatDuration(ms))
      : text.conversation.thought
  return (
    <Disclosure
      icon={Sparkles}
      label={<span className={item.streaming ? 'motion-safe:animate-pulse' : ''}>{label}</span>}
      opened={useOpened(item.key)}
      disabled={item.text.trim() === ''}
      className="py-1"
      bodyClassName="mt-1 ml-2 border-l-2 border-line pl-4 text-[0.92em] text-soft"
    >
      <Markdown text={item.text} streaming={item.streaming} />
    </Disclosure>
  )
})
