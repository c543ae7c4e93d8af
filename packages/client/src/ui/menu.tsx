/**
 * A button (`trigger`) that opens a list of things to do or to choose. What draws the list is fetched when the page is at rest, or with
 * the first press; from then on it is all Radix's.
 */
import type { LucideIcon } from 'lucide-react'
import { cloneElement, type MouseEventHandler, type ReactElement, type ReactNode, useState } from 'react'
import { fetchLater } from './deferred.tsx'

type Parts = typeof import('./menu-parts.tsx')
let parts: Parts | undefined

const load = fetchLater(async () => {
  parts = await import('./menu-parts.tsx')
})

export interface MenuProps {
  trigger: ReactElement<{ onClick?: MouseEventHandler; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>
  children: ReactNode
  align?: 'start' | 'end' | 'center'
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** Fetches what draws the items: a menu opens with all of them. */
  load?: () => Promise<unknown>
}

export interface MenuItemProps {
  icon?: LucideIcon
  children: ReactNode
  onSelect: () => void
  disabled?: boolean
  danger?: boolean
  /** Shown small below. */
  hint?: string | undefined
}

export interface MenuChoiceProps {
  label?: string
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string; hint?: string; danger?: boolean; disabled?: boolean }[]
}

export function Menu({ load: loadItems, ...props }: MenuProps) {
  const [pressed, setPressed] = useState(false)
  if (pressed && parts) return <parts.OpenedMenu {...props} />
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => void Promise.all([load(), loadItems?.()]).then(() => setPressed(true)),
  })
}

export function MenuItem(props: MenuItemProps) {
  return parts ? <parts.MenuItem {...props} /> : null
}

/** One of several. */
export function MenuChoice(props: MenuChoiceProps) {
  return parts ? <parts.MenuChoice {...props} /> : null
}

export function MenuSeparator() {
  return parts ? <parts.MenuSeparator /> : null
}
