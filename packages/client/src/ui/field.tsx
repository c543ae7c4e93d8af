import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './class-names.ts'

const control =
  'w-full rounded-md border border-field bg-card px-3 text-sm text-text placeholder:text-faint disabled:opacity-60'

interface FieldProps {
  label: string
  hint?: ReactNode
  fault?: string | undefined
  /** Gets the ids that tie it to its label and hints. */
  children: (ids: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }) => ReactNode
}

/** A labelled control with what helps to fill it in. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': fault ? true : undefined })}
      {hint && (
        <div id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </div>
      )}
      {fault && (
        <div id={`${id}-fault`} role="alert" className="text-xs text-danger">
          {fault}
        </div>
      )}
    </div>
  )
}

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={cx(control, 'h-9 max-sm:h-11', className)} />
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea {...props} className={cx(control, 'py-2', className)} />
}

export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <select {...props} className={cx(control, 'h-9 max-sm:h-11 pr-8', className)}>
      {children}
    </select>
  )
}

/** A box with its label beside it. */
export function Checkbox({
  label,
  hint,
  ...props
}: ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode }) {
  const id = useId()
  return (
    <label className="flex min-h-8 max-sm:min-h-11 cursor-pointer items-start gap-2 py-1 text-sm">
      <input
        type="checkbox"
        aria-describedby={hint ? id : undefined}
        {...props}
        className="mt-0.5 size-4 shrink-0 accent-(--ink)"
      />
      <span className="min-w-0">
        {label}
        {hint && (
          <span id={id} className="block text-xs text-soft">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
