import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import type { ReactNode } from 'react'

interface VirtualRowProps {
  virtual: Virtualizer<HTMLElement, Element>
  item: VirtualItem
  children: ReactNode
}

/** One row of a long list, in its place; its height is measured. The list around it is as tall as all rows. */
export function VirtualRow({ virtual, item, children }: VirtualRowProps) {
  return (
    <li
      ref={virtual.measureElement}
      data-index={item.index}
      className="absolute inset-x-0 top-0"
      style={{ transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
    >
      {children}
    </li>
  )
}
