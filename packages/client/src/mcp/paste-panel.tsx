import { useState } from 'react'
import { text } from '../text/page-text.ts'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { AddForm, type AddPanelProps } from './add-form.tsx'

/** Servers as READMEs show them. */
export function PastePanel(panel: AddPanelProps) {
  const [snippet, setSnippet] = useState('')
  const [name, setName] = useState('')
  const words = text.mcp.add
  return (
    <AddForm
      {...panel}
      onSubmit={() => ({ snippet, ...(name.trim() !== '' && { name: name.trim() }) })}
      reason={snippet.trim().length < 2 ? words.needsSnippet : undefined}
    >
      <Field label={words.snippet} hint={words.snippetHint}>
        {(ids) => (
          <Textarea
            {...ids}
            rows={10}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            placeholder={words.snippetExample}
            className="font-mono"
            value={snippet}
            onChange={(event) => setSnippet(event.target.value)}
          />
        )}
      </Field>
      <Field label={words.snippetName} hint={words.snippetNameHint}>
        {(ids) => (
          <Input
            {...ids}
            spellCheck={false}
            autoCapitalize="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </AddForm>
  )
}
