import { Popover as Radix } from 'radix-ui'
import { useLayer } from './dialog.tsx'
import type { PopoverProps } from './popover.tsx'

/** The whole popover, open from its first moment on. */
export function OpenedPopover({ trigger, label, children, align = 'center', side }: PopoverProps) {
  const layer = useLayer()
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          aria-label={label}
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
