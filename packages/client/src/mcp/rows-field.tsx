import { Plus, X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { sequence } from '../render/sequence.ts'
import { Button, IconButton } from '../ui/button.tsx'

interface RowsFieldProps<T> {
  label: string
  hint: string
  fault: string | undefined
  rows: readonly T[]
  /** What a new row holds. */
  empty: T
  words: { add: string; remove: (position: number) => string }
  onChange: (rows: T[]) => void
  /** The inputs of a row. Positions count from 1. */
  children: (row: T, position: number, change: (row: T) => void) => ReactNode
}

/** A field of any number of rows, which have no identity but their position. */
export function RowsField<T>(props: RowsFieldProps<T>) {
  const { label, hint, fault, rows, empty, words, onChange, children } = props
  const id = useId()
  const box = useRef<HTMLFieldSetElement>(null)
  const addRow = () => {
    flushSync(() => onChange([...rows, empty]))
    box.current?.querySelector<HTMLInputElement>(':scope > div:last-of-type input')?.focus()
  }
  return (
    <fieldset ref={box} aria-describedby={`${id}-hint`} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {sequence(rows, (row, index) => (
        <div className="flex items-center gap-1">
          {children(row, index + 1, (changed) => onChange(rows.with(index, changed)))}
          <IconButton
            label={words.remove(index + 1)}
            icon={X}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button size="sm" variant="ghost" icon={Plus} className="self-start" onClick={addRow}>
        {words.add}
      </Button>
      <p id={`${id}-hint`} className="text-xs text-soft">
        {hint}
      </p>
      {fault && (
        <p role="alert" className="text-xs text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
