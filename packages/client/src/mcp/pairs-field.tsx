import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { text } from '../text/page-text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { isMasked, type Pair } from './entry-form.ts'

interface PairsFieldProps {
  label: string
  hint: string
  fault: string | undefined
  pairs: readonly Pair[]
  onChange: (pairs: Pair[]) => void
}

/** Names and values: environment variables, headers. */
export function PairsField({ label, hint, fault, pairs, onChange }: PairsFieldProps) {
  const id = useId()
  const words = text.mcp.entry
  const set = (at: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)))
  return (
    <fieldset aria-describedby={`${id}-hint`} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {pairs.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place.
        <div key={index} className="flex items-center gap-1">
          <Input
            aria-label={words.pairName(index + 1)}
            aria-invalid={(fault !== undefined && name.trim() === '') || undefined}
            value={name}
            spellCheck={false}
            autoCapitalize="off"
            className="basis-2/5 font-mono"
            onChange={(event) => set(index, { name: event.target.value })}
          />
          <Input
            aria-label={words.pairValue(index + 1)}
            aria-invalid={isMasked(value) || undefined}
            value={value}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            className="flex-1 font-mono"
            onFocus={(event) => isMasked(value) && event.target.select()}
            onChange={(event) => set(index, { value: event.target.value })}
          />
          <IconButton
            label={words.removePair(index + 1)}
            icon={X}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        size="sm"
        variant="ghost"
        icon={Plus}
        className="self-start"
        onClick={() => onChange([...pairs, { name: '', value: '' }])}
      >
        {words.addPair}
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
