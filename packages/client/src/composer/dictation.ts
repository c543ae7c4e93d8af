/** Speech to text by the browser, where it has that. It is the browser's own: some send what is said to their maker. */
export interface Recognition extends EventTarget {
  continuous: boolean
  interimResults: boolean
  lang: string
  start(): void
  stop(): void
  abort(): void
}

interface ResultEvent extends Event {
  resultIndex: number
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>
}

type Make = new () => Recognition

/** Undefined where the browser cannot. */
export function recognitionOf(scope: object): Make | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = scope as Record<string, Make | undefined>
  return SpeechRecognition ?? webkitSpeechRecognition
}

export interface Dictation {
  /** Words that are certain, as they come. */
  onWords: (words: string) => void
  /** Over, for whatever reason; a code where something went wrong. */
  onEnd: (fault: string | undefined) => void
}

/** Listens until it is stopped. */
export function dictate(Made: Make, language: string, { onWords, onEnd }: Dictation): Recognition {
  const recognition = new Made()
  recognition.continuous = true
  recognition.interimResults = false
  recognition.lang = language
  let fault: string | undefined
  recognition.addEventListener('result', (event) => {
    const { results, resultIndex } = event as ResultEvent
    for (let index = resultIndex; index < results.length; index++) {
      const result = results[index]
      const words = result?.isFinal ? result[0]?.transcript.trim() : undefined
      if (words) onWords(words)
    }
  })
  recognition.addEventListener('error', (event) => {
    const code = (event as Event & { error?: unknown }).error
    // Silence and a stop are no faults.
    if (code !== 'no-speech' && code !== 'aborted') fault = String(code)
  })
  recognition.addEventListener('end', () => onEnd(fault))
  recognition.start()
  return recognition
}

/** With a space between, where there is none. */
export function withWords(text: string, words: string): string {
  return text === '' || /\s$/.test(text) ? text + words : `${text} ${words}`
}
