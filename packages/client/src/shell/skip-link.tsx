import { text } from '../text/text.ts'

/** The first stop of the Tab key: past the sidebar. No link, since the fragment of the address names messages. */
export function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById('page')?.focus()}
      className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:border focus:border-line focus:bg-card focus:px-3 focus:py-2"
    >
      {text.shell.skip}
    </button>
  )
}
