import { Fragment } from 'react'
import { text } from '../text/text.ts'
import { keyCaps } from './shortcuts.ts'

/** Keys as they look on a keyboard. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs whitespace-nowrap text-faint">
      {keyCaps(keys).map((group, index) => (
        <Fragment key={group.join('+')}>
          {index > 0 && <span>{text.shell.thenKey}</span>}
          {group.map((key) => (
            <kbd
              key={key}
              className="min-w-6 rounded border border-line-strong bg-raised px-1.5 py-0.5 text-center font-sans text-xs text-text"
            >
              {key}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
