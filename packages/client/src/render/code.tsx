import { memo, useState } from 'react'
import { text as words } from '../text/text.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { capText, codeLimits } from './cap-text.ts'
import { CutNotice } from './cut-notice.tsx'
import type { CodeLine } from './highlight-messages.ts'
import { SafeText } from './safe-text.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { sequence } from './sequence.ts'
import { useHighlight } from './use-highlight.ts'

interface CodeProps {
  text: string
  language?: string | undefined
  /** More of it is still coming. */
  streaming?: boolean
  /** No head with language and copy button: for code inside something that has its own. */
  bare?: boolean
}

/** A block of code. Plain at once, coloured when the highlighter has come; the lines do not move. */
export function Code({ text, language, streaming = false, bare = false }: CodeProps) {
  const [all, setAll] = useState(false)
  const capped = capText(text, codeLimits)
  const shown = all ? text : capped.text
  const body = <CodeBody text={shown} language={language} streaming={streaming} />
  if (bare) return body
  return (
    <figure className="my-2 overflow-hidden rounded-lg border border-line bg-raised">
      <figcaption className="flex items-center gap-2 pr-1 pl-3 text-xs text-soft">
        <span className="min-w-0 flex-1 truncate" title={language}>
          {language || words.render.plainText}
        </span>
        <CopyButton value={text} />
      </figcaption>
      {body}
      {capped.cut && !all && (
        <CutNotice
          label={
            capped.allLines > 1
              ? words.render.cutLines(capped.shownLines, capped.allLines)
              : words.render.cutText(shown.length, text.length)
          }
          onShowAll={() => setAll(true)}
          value={text}
        />
      )}
    </figure>
  )
}

function CodeBody({
  text,
  language,
  streaming,
}: {
  text: string
  language: string | undefined
  streaming: boolean
}) {
  const highlighted = useHighlight(text, language, streaming)
  const rest = highlighted ? text.slice(highlighted.text.length) : text
  return (
    <ScrollBox label={words.render.code}>
      <pre dir="ltr" className="w-max min-w-full px-3 pt-0.5 pb-3 font-mono text-[0.8125rem] leading-relaxed">
        <code>
          {highlighted && <Lines lines={highlighted.lines} />}
          <SafeText text={rest} />
        </code>
      </pre>
    </ScrollBox>
  )
}

const Lines = memo(function Lines({ lines }: { lines: readonly CodeLine[] }) {
  return sequence(lines, (line, index) => (
    <span>
      {sequence(line, (token) =>
        token.color || token.italic || token.bold ? (
          <span
            style={{
              color: token.color,
              fontStyle: token.italic ? 'italic' : undefined,
              fontWeight: token.bold ? 600 : undefined,
            }}
          >
            <SafeText text={token.text} />
          </span>
        ) : (
          <SafeText text={token.text} />
        ),
      )}
      {index < lines.length - 1 && '\n'}
    </span>
  ))
})

export function InlineCode({ text }: { text: string }) {
  return (
    <code dir="ltr" className="rounded bg-raised px-1 py-px font-mono text-[0.875em] break-words">
      <SafeText text={text} />
    </code>
  )
}
