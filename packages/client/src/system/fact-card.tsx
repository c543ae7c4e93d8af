import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import type { Tone } from '../ui/notice.tsx'
import { Card } from '../ui/page.tsx'

interface FactCardProps {
  title: string
  /** How it is, in a word. */
  state?: { words: string; tone: Tone }
  children: ReactNode
}

/** One part of the system. */
export function FactCard({ title, state, children }: FactCardProps) {
  return (
    <Card className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 flex-1 font-semibold">{title}</h2>
        {state && <Badge tone={state.tone}>{state.words}</Badge>}
      </div>
      {children}
    </Card>
  )
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">{children}</dl>
}

export function Fact({ name, children, mono }: { name: string; children: ReactNode; mono?: boolean }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className={mono ? 'self-center font-mono text-xs break-all' : 'break-words'}>{children}</dd>
    </>
  )
}
