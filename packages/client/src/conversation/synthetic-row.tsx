import { CornerDownRight } from 'lucide-react'
import type { UserItem } from '../live/live-session.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { useOpened } from './conversation-context.tsx'
import { readSynthetic } from './synthetic.ts'

export function SyntheticRow({ item, words }: { item: UserItem; words: string }) {
  const synthetic = readSynthetic(words)
  return (
    <Disclosure
      icon={CornerDownRight}
      label={synthetic.label}
      opened={useOpened(item.key)}
      disabled={synthetic.words === ''}
      className="py-1"
      bodyClassName="mt-1 ml-2 max-h-96 overflow-y-auto border-l-2 border-line pl-4 text-sm text-soft"
    >
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {synthetic.words}
      </p>
    </Disclosure>
  )
}
