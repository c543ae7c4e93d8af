/** A button (`trigger`) that shows more beside it. What draws that is fetched as for menus. */
import { cloneElement, type MouseEventHandler, type ReactElement, type ReactNode, useState } from 'react'
import { fetchLater } from './deferred.tsx'

type Parts = typeof import('./popover-parts.tsx')
let parts: Parts | undefined

const load = fetchLater(async () => {
  parts = await import('./popover-parts.tsx')
})

export interface PopoverProps {
  trigger: ReactElement<{
    onClick?: MouseEventHandler
    'aria-haspopup'?: 'dialog'
    'aria-expanded'?: boolean
  }>
  /** What it is, for screen readers. */
  label: string
  children: ReactNode
  align?: 'start' | 'end' | 'center'
  side?: 'top' | 'bottom' | 'left' | 'right'
}

export function Popover(props: PopoverProps) {
  const [pressed, setPressed] = useState(false)
  if (pressed && parts) return <parts.OpenedPopover {...props} />
  return cloneElement(props.trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onClick: () => void load().then(() => setPressed(true)),
  })
}
