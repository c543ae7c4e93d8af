import { text } from '../text/page-text.ts'
import { Input } from '../ui/field.tsx'
import { isMasked, type Pair } from './entry-form.ts'
import { RowsField } from './rows-field.tsx'

interface PairsFieldProps {
  label: string
  hint: string
  fault: string | undefined
  pairs: readonly Pair[]
  onChange: (pairs: Pair[]) => void
}

/** Names and values: environment variables, headers. */
export function PairsField({ pairs, fault, ...field }: PairsFieldProps) {
  const words = text.mcp.entry
  return (
    <RowsField
      {...field}
      fault={fault}
      rows={pairs}
      empty={{ name: '', value: '' }}
      words={{ add: words.addPair, remove: words.removePair }}
    >
      {({ name, value }, position, change) => (
        <>
          <Input
            aria-label={words.pairName(position)}
            aria-invalid={(fault !== undefined && name.trim() === '') || undefined}
            value={name}
            spellCheck={false}
            autoCapitalize="off"
            className="basis-2/5 font-mono"
            onChange={(event) => change({ name: event.target.value, value })}
          />
          <Input
            aria-label={words.pairValue(position)}
            aria-invalid={isMasked(value) || undefined}
            value={value}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            className="flex-1 font-mono"
            onFocus={(event) => isMasked(value) && event.target.select()}
            onChange={(event) => change({ name, value: event.target.value })}
          />
        </>
      )}
    </RowsField>
  )
}
