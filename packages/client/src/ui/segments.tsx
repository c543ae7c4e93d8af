import { useId } from 'react'
import { cx } from './class-names.ts'

interface SegmentsProps<T extends string> {
  /** Said by screen readers, and shown before it unless hidden. */
  label: string
  hideLabel?: boolean
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; label: string }[]
  disabled?: boolean
}

/** One of a few, all in sight: radio buttons that look like one piece. */
export function Segments<T extends string>({
  label,
  hideLabel,
  value,
  onChange,
  options,
  disabled,
}: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset disabled={disabled} className="flex min-w-0 max-w-full items-center gap-2">
      <legend className="sr-only">{label}</legend>
      {!hideLabel && (
        <span aria-hidden className="shrink-0 text-sm text-soft">
          {label}
        </span>
      )}
      <div className="flex min-w-0 overflow-x-auto rounded-md border border-field bg-card p-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'flex min-h-7 max-sm:min-h-10 shrink-0 cursor-pointer items-center rounded px-2.5 text-sm whitespace-nowrap select-none',
              'has-focus-visible:outline-2 has-focus-visible:outline-(--ink) has-disabled:opacity-60',
              option.value === value ? 'bg-raised font-medium text-text' : 'text-soft hover:text-text',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
