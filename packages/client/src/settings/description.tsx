import { sequence } from '../render/sequence.ts'

/** A description of the configuration: what is in backticks is code. */
export function Description({ text }: { text: string }) {
  return sequence(text.split('`'), (part, index) =>
    index % 2 === 1 ? <code className="rounded bg-raised px-1 font-mono text-[0.9em]">{part}</code> : part,
  )
}
