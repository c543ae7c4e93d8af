import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { text } from '../text/page-text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { isMasked } from './entry-form.ts'

interface TextListFieldProps {
  label: string
  hint: string
  fault: string | undefined
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** Arguments of a command: one field each, since nothing splits them. */
export function TextListField({ label, hint, fault, values, onChange }: TextListFieldProps) {
  const id = useId()
  const words = text.mcp.entry
  const set = (at: number, value: string) =>
    onChange(values.map((one, index) => (index === at ? value : one)))
  return (
    <fieldset aria-describedby={`${id}-hint`} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no identity but their place.
        <div key={index} className="flex items-center gap-1">
          <Input
            aria-label={words.argument(index + 1)}
            aria-invalid={(fault !== undefined && isMasked(value)) || undefined}
            value={value}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono"
            onChange={(event) => set(index, event.target.value)}
          />
          <IconButton
            label={words.removeArgument(index + 1)}
            icon={X}
            onClick={() => onChange(values.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        size="sm"
        variant="ghost"
        icon={Plus}
        className="self-start"
        onClick={() => onChange([...values, ''])}
      >
        {words.addArgument}
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
