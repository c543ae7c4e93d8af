import { memo } from 'react'
import type { TextItem } from '../live/live-session.ts'
import { Markdown } from '../render/markdown.tsx'
import { text } from '../text/text.ts'
import { MessageTools } from './message-tools.tsx'

/** What the agent says. */
export const TextRow = memo(function TextRow({ item }: { item: TextItem }) {
  return (
    <article
      tabIndex={-1}
      aria-label={text.conversation.agent}
      className="group/message relative py-2 outline-none"
    >
      <Markdown text={item.text} streaming={item.streaming} />
      {!item.streaming && (
        <MessageTools
          value={item.text}
          linkKey={item.key}
          messageId={item.messageId}
          time={item.time}
          floats
        />
      )}
    </article>
  )
})
