import { sequence } from '../render/sequence.ts'
import type { HitPart } from './mark-hits.ts'

/** What a search found, with its words marked. */
export function MarkedText({ parts }: { parts: readonly HitPart[] }) {
  return sequence(parts, (part) =>
    part.hit ? <mark className="rounded-sm bg-mark text-text">{part.text}</mark> : part.text,
  )
}
