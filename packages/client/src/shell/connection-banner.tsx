import { useEffect, useState } from 'react'
import { useConnection } from '../live/use-live.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { connectionWords } from './connection-words.ts'

/** Shorter breaks are nobody's business. */
const blipMs = 1500

/** Says when what the page shows may be old. */
export function ConnectionBanner() {
  const words = connectionWords(useConnection())
  const shown = useLasting(words !== undefined)
  const [wasAway, setWasAway] = useState(false)
  useEffect(() => {
    if (shown) setWasAway(true)
  }, [shown])
  return (
    <>
      <p role="status" className="sr-only">
        {shown && words ? words.title : wasAway && !words ? text.shell.backAgain : ''}
      </p>
      {shown && words && (
        <div className="flex min-h-10 shrink-0 items-center gap-2 border-b border-line bg-warn-ground px-3 py-1 text-sm text-warn">
          <Spinner />
          <p className="min-w-0 flex-1">
            <span className="font-medium">{words.title}</span>
            {words.details.length > 0 && (
              <span className="ml-1 tabular-nums">{text.shell.inBrackets(words.details)}</span>
            )}
          </p>
          {words.canTry && (
            <Button size="sm" onClick={tryNow}>
              {text.shell.tryNow}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

/** The connection tries at once when the browser says that the network is back; a person may say so too. */
function tryNow(): void {
  dispatchEvent(new Event('online'))
}

/** True once the condition has held for a while; false at once. */
function useLasting(condition: boolean): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!condition) return setLasting(false)
    const timer = setTimeout(() => setLasting(true), blipMs)
    return () => clearTimeout(timer)
  }, [condition])
  return lasting && condition
}
