import { type FormEvent, type ReactNode, useId } from 'react'
import { createPortal } from 'react-dom'
import { api } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Notice } from '../ui/notice.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import type { Added } from './added-report.tsx'
import { useSaving } from './use-saving.ts'

export interface AddPanelProps {
  /** Where the window has its buttons. */
  footer: HTMLElement | null
  onAdded: (added: Added) => void
}

type NewServers = Parameters<typeof api.addMcpServers>[0]['body']

interface AddFormProps extends AddPanelProps {
  /** What is to be added; undefined when the form is not ready, which it then says itself. */
  onSubmit: (form: Element) => NewServers | undefined
  /** Why nothing can be added yet. */
  reason?: string | undefined
  children: ReactNode
}

/** A way to add servers: its fields here, its button at the bottom of the window. */
export function AddForm({ footer, onAdded, onSubmit, reason, children }: AddFormProps) {
  const form = useId()
  const { busy, fault, clear, save } = useSaving()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const body = onSubmit(event.currentTarget)
    if (!body) return
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
      {children}
      {fault && <Notice tone="danger">{fault}</Notice>}
      {footer &&
        createPortal(
          <ReasonButton shows type="submit" form={form} variant="primary" busy={busy} reason={reason}>
            {text.mcp.add.submit}
          </ReasonButton>,
          footer,
        )}
    </form>
  )
}
