import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useLayer } from './dialog.tsx'

interface PopoverProps {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end' | 'center'
  side?: 'top' | 'bottom' | 'left' | 'right'
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

export function Popover({ trigger, children, align = 'center', side, ...state }: PopoverProps) {
  const layer = useLayer()
  return (
    <Radix.Root modal={false} {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-40 w-80 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-card p-3 text-sm text-text shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
