/** Asks the highlighter's worker for the colours of texts, one text after the other and some lines at a time. */
import type { CodeLine, HighlightAnswer, HighlightQuestion } from './highlight-messages.ts'

/** As much of a `Worker` as is used. */
export interface HighlightWorker {
  postMessage(question: HighlightQuestion): void
  terminate(): void
  onmessage: ((event: MessageEvent<HighlightAnswer>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}

/** Undefined when it was stopped; throws when there are no colours to be had. */
export type Highlighter = (
  text: string,
  language: string,
  signal: AbortSignal,
) => Promise<readonly CodeLine[] | undefined>

/** A text that nobody wants any more is left after so many lines. */
const sliceLines = 200
/** Longer than a language takes to come over a slow line. Rules of a grammar can take for ever on a text that was made for it. */
const answerMs = 60_000
/** After a worker was lost, before the next is tried: the server may be away, or the same text comes again. */
const restMs = 30_000

/** `start` is called when a worker is needed and there is none. */
export function createHighlighter(start: () => HighlightWorker): Highlighter {
  const worker = keepWorker(start)
  let last: Promise<unknown> = Promise.resolve()
  return (text, language, signal) => {
    const whole = last.then(() => inSlices(worker, text, language, signal))
    last = whole.catch(() => undefined)
    return whole
  }
}

type Ask = (question: HighlightQuestion) => Promise<readonly CodeLine[]>

async function inSlices(
  ask: Ask,
  text: string,
  language: string,
  signal: AbortSignal,
): Promise<readonly CodeLine[] | undefined> {
  const lines = text.split('\n')
  const done: CodeLine[] = []
  for (let at = 0; at < lines.length; at += sliceLines) {
    if (signal.aborted) return undefined
    const slice = lines.slice(at, at + sliceLines).join('\n')
    for (const line of await ask({ text: slice, language, goesOn: at > 0 })) done.push(line)
  }
  return signal.aborted ? undefined : done
}

function keepWorker(start: () => HighlightWorker): Ask {
  let worker: HighlightWorker | undefined
  let restsUntil = Number.NEGATIVE_INFINITY
  const lose = () => {
    worker?.terminate()
    worker = undefined
    restsUntil = performance.now() + restMs
  }
  return (question) =>
    new Promise((resolve, reject) => {
      if (performance.now() < restsUntil) throw new Error('The highlighter is not to be had now.')
      const lost = (why: string) => {
        clearTimeout(timer)
        lose()
        reject(new Error(why))
      }
      const timer = setTimeout(() => lost('The highlighter does not answer.'), answerMs)
      try {
        worker ??= start()
        worker.onmessage = ({ data }) => {
          clearTimeout(timer)
          if ('lines' in data) resolve(data.lines)
          else reject(new Error(data.fault))
        }
        worker.onerror = (event) => {
          event.preventDefault()
          lost('The highlighter did not start, or failed.')
        }
        worker.postMessage(question)
      } catch (error) {
        lost(String(error))
      }
    })
}
