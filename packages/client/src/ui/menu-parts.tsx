import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useId } from 'react'
import { cx } from './class-names.ts'
import { useLayer } from './dialog.tsx'
import type { MenuChoiceProps, MenuItemProps, MenuProps } from './menu.tsx'

const itemClass =
  'flex min-h-8 max-sm:min-h-11 items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none cursor-pointer ' +
  'data-[highlighted]:bg-hover data-[disabled]:opacity-50 data-[disabled]:cursor-not-allowed'

/** The whole menu, open from its first moment on. */
export function OpenedMenu({ trigger, children, align = 'end', side }: MenuProps) {
  const layer = useLayer()
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={layer}>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-44 max-w-[min(24rem,calc(100vw-1rem))] overflow-y-auto rounded-lg border border-line bg-card p-1 text-text shadow-lg"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export function MenuItem({ icon: Icon, children, onSelect, disabled, danger, hint }: MenuItemProps) {
  const hintId = useId()
  return (
    <DropdownMenu.Item
      aria-describedby={hint ? hintId : undefined}
      disabled={disabled ?? false}
      onSelect={onSelect}
      className={cx(itemClass, danger && 'text-danger')}
    >
      {Icon && <Icon aria-hidden size={16} className="shrink-0" />}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {hint && (
          <span id={hintId} className="block text-xs text-soft">
            {hint}
          </span>
        )}
      </span>
    </DropdownMenu.Item>
  )
}

/** One of several. */
export function MenuChoice({ label, value, onChange, options }: MenuChoiceProps) {
  const id = useId()
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChange}>
      {label && (
        <DropdownMenu.Label className="px-2 py-1 text-xs font-medium text-soft">{label}</DropdownMenu.Label>
      )}
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          aria-describedby={option.hint ? `${id}-${option.value}` : undefined}
          disabled={option.disabled ?? false}
          className={cx(itemClass, option.danger && 'text-danger')}
        >
          <span className="w-4 shrink-0">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden size={16} />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate">{option.label}</span>
            {option.hint && (
              <span id={`${id}-${option.value}`} className="block text-xs text-soft">
                {option.hint}
              </span>
            )}
          </span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}
