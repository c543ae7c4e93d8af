import type { ReactNode } from 'react'

interface ScrollBoxProps {
  /** What is in it, for those who come to it by keyboard. */
  label: string
  children: ReactNode
  className?: string
  /** Inside a line of text. */
  inline?: boolean
}

/** Something wide or long that scrolls by itself, so that the page does not. */
export function ScrollBox({ label, children, className = 'overflow-x-auto', inline }: ScrollBoxProps) {
  const Tag = inline ? 'span' : 'div'
  return (
    <Tag role="group" aria-label={label} tabIndex={0} className={className}>
      {children}
    </Tag>
  )
}
