import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export const TooltipProvider = Radix.Provider

/** A name for what has only a picture. Screen readers get theirs from the element itself. */
export function Tooltip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Radix.Root delayDuration={400}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-md bg-text px-2 py-1 text-xs text-ground shadow-md pointer-events-none"
        >
          {label}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
