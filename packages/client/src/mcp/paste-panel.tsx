import { type FormEvent, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { api } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import type { Added } from './added-report.tsx'
import { useSaving } from './use-saving.ts'

export interface AddPanelProps {
  /** Where the window has its buttons. */
  footer: HTMLElement | null
  onAdded: (added: Added) => void
}

/** Servers as READMEs show them. */
export function PastePanel({ footer, onAdded }: AddPanelProps) {
  const form = useId()
  const [snippet, setSnippet] = useState('')
  const [name, setName] = useState('')
  const { busy, fault, clear, save } = useSaving()
  const words = text.mcp.add
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const body = { snippet, ...(name.trim() !== '' && { name: name.trim() }) }
    const added = await save(() => api.addMcpServers({ body }))
    if (added) onAdded(added)
  }
  return (
    <form
      id={form}
      noValidate
      onSubmit={(event) => void add(event)}
      onChange={clear}
      className="flex flex-col gap-4"
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
      {fault && <Notice tone="danger">{fault}</Notice>}
      {footer &&
        createPortal(
          <Button
            type="submit"
            form={form}
            variant="primary"
            busy={busy}
            disabled={snippet.trim().length < 2}
          >
            {words.submit}
          </Button>,
          footer,
        )}
    </form>
  )
}
