import { text } from '../text/page-text.ts'
import { Input } from '../ui/field.tsx'
import { isMasked } from './entry-form.ts'
import { RowsField } from './rows-field.tsx'

interface TextListFieldProps {
  label: string
  hint: string
  fault: string | undefined
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** Arguments of a command: one field each, since nothing splits them. */
export function TextListField({ values, fault, ...field }: TextListFieldProps) {
  const words = text.mcp.entry
  return (
    <RowsField
      {...field}
      fault={fault}
      rows={values}
      empty=""
      words={{ add: words.addArgument, remove: words.removeArgument }}
    >
      {(value, position, change) => (
        <Input
          aria-label={words.argument(position)}
          aria-invalid={(fault !== undefined && isMasked(value)) || undefined}
          value={value}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono"
          onChange={(event) => change(event.target.value)}
        />
      )}
    </RowsField>
  )
}
