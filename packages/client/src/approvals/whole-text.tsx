import { useState } from 'react'
import { foldText, lineCount } from '../render/fold-text.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text as words } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** A command or other text to be read before it is allowed: never cut off at its end, and without a box that hides it. */
export function WholeText({ label, value, terminal }: { label: string; value: string; terminal?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const folded = foldText(value)
  const canFold = folded.hiddenCharacters > 0
  const t = words.approvals.count
  return (
    <figure
      className={cx('overflow-hidden rounded-lg border border-line', terminal ? 'bg-terminal' : 'bg-raised')}
    >
      <figcaption
        className={cx(
          'flex items-center gap-2 border-b border-line/40 pl-3 text-xs',
          terminal ? 'text-terminal-soft' : 'text-soft',
        )}
      >
        <span className="flex-1 py-1.5">{t.of(label, lineCount(value))}</span>
        {canFold && (
          <button
            type="button"
            className="min-h-8 px-1 underline max-sm:min-h-10"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t.fold : t.showAll}
          </button>
        )}
        <CopyButton
          value={value}
          className={terminal ? 'text-terminal-soft hover:bg-transparent hover:text-on-terminal' : ''}
        />
      </figcaption>
      <pre
        dir="ltr"
        className={cx(
          'px-3 py-2 font-mono text-[0.8125rem] leading-5 break-words whitespace-pre-wrap [overflow-wrap:anywhere]',
          terminal ? 'text-on-terminal' : 'text-text',
        )}
      >
        {isOpen || !canFold ? (
          <SafeText text={value} />
        ) : (
          <>
            <SafeText text={folded.head} />
            <span className="my-1 flex flex-wrap items-center gap-2 border-y border-dashed border-line-strong py-1 font-sans">
              <span className={terminal ? 'text-terminal-soft' : 'text-soft'}>
                {t.hiddenBetween(folded.hiddenLines, folded.hiddenCharacters)}
              </span>
              <Button size="sm" onClick={() => setOpen(true)}>
                {t.showAll}
              </Button>
            </span>
            <SafeText text={folded.tail} />
          </>
        )}
      </pre>
    </figure>
  )
}
