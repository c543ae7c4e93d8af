import { type FormEvent, useState } from 'react'
import { api } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import type { Added } from './added-report.tsx'
import { useSaving } from './use-saving.ts'

/** Servers as READMEs show them. */
export function PastePanel({ onAdded }: { onAdded: (added: Added) => void }) {
  const [snippet, setSnippet] = useState('')
  const [name, setName] = useState('')
  const { busy, fault, save } = useSaving()
  const words = text.mcp.add
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const body = { snippet, ...(name.trim() !== '' && { name: name.trim() }) }
    const added = await save(() => api.addMcpServers({ body }))
    if (added) onAdded(added)
  }
  return (
    <form noValidate onSubmit={(event) => void add(event)} className="flex flex-col gap-4">
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
      {fault && <Notice tone="danger">{fault}</Notice>}
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        disabled={snippet.trim().length < 2}
        className="self-end"
      >
        {words.submit}
      </Button>
    </form>
  )
}
