import type { ReactNode } from 'react'

/** A named part of an open card. */
export function ToolPart({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="min-w-0 pb-1">
      <h4 className="pt-1 text-xs font-medium text-faint">{name}</h4>
      {children}
    </section>
  )
}
