import { Switch as Radix } from 'radix-ui'

interface SwitchProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  id?: string
  /** Names what says why it cannot be pressed. */
  describedBy?: string | undefined
}

export function Switch({ label, checked, onChange, disabled, id, describedBy }: SwitchProps) {
  return (
    <Radix.Root
      {...(id !== undefined && { id })}
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled ?? false}
      className="relative h-5 w-9 shrink-0 rounded-full border border-field bg-raised transition-colors data-[state=checked]:border-transparent data-[state=checked]:bg-ink disabled:opacity-50"
    >
      <Radix.Thumb className="block size-4 translate-x-0.5 rounded-full bg-soft transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-ink" />
    </Radix.Root>
  )
}
