import { ApiError } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, errorText } from '../api.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox, Field, Input } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { toast } from '../ui/toast.tsx'

const modes = ['host', 'container'] as const
type Mode = (typeof modes)[number]

interface Fault {
  words: string
  /** The settings say where workspaces may lie. */
  isRoots: boolean
}

/** Adds a directory, untrusted, and goes to its page. */
export function AddWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [path, setPath] = useState('')
  const [name, setName] = useState('')
  const [mode, setMode] = useState<Mode>('host')
  const [main, setMain] = useState(false)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const form = useId()
  const words = text.workspaces.add
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() === '') return
    setBusy(true)
    setFault(undefined)
    try {
      const body = { path: path.trim(), mode, main, ...(name.trim() !== '' && { name: name.trim() }) }
      const workspace = await api.createWorkspace({ body })
      void queries.invalidateQueries({ queryKey: ['workspaces'] })
      toast.ok(words.added(withVisibleControls(workspace.name)))
      onClose()
      navigate(`/workspaces/${workspace.id}`)
    } catch (error) {
      setFault({
        words: errorText(error),
        isRoots: error instanceof ApiError && error.code === 'outside_roots',
      })
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <ReasonButton
            shows
            type="submit"
            form={form}
            variant="primary"
            busy={busy}
            reason={path.trim() === '' ? words.needsPath : undefined}
          >
            {words.submit}
          </ReasonButton>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => void add(event)}
        onChange={() => setFault(undefined)}
        className="flex flex-col gap-4 pb-2"
      >
        <Field label={words.path} hint={words.pathHint}>
          {(ids) => (
            <Input
              {...ids}
              dir="ltr"
              spellCheck={false}
              autoCapitalize="off"
              autoCorrect="off"
              className="font-mono"
              value={path}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
        <Field label={words.name} hint={words.nameHint}>
          {(ids) => (
            <Input
              {...ids}
              dir="auto"
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ModeChoice mode={mode} onChange={setMode} />
        <Checkbox label={words.main} checked={main} onChange={(event) => setMain(event.target.checked)} />
        {fault !== undefined && <FaultNotice fault={fault} />}
      </form>
    </Dialog>
  )
}

function FaultNotice({ fault }: { fault: Fault }) {
  return (
    <Notice tone="danger">
      {fault.words}{' '}
      {fault.isRoots && (
        <Link href="/settings" className="underline">
          {text.workspaces.add.toSettings}
        </Link>
      )}
    </Notice>
  )
}

function ModeChoice({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const words = text.workspaces.add
  const group = useId()
  const hints = { host: words.hostHint, container: words.containerHint }
  return (
    <fieldset>
      <legend className="text-sm font-medium">{words.mode}</legend>
      {modes.map((one) => (
        <label
          key={one}
          className="flex min-h-8 cursor-pointer items-start gap-2 py-1 text-sm max-sm:min-h-11"
        >
          <input
            type="radio"
            name={group}
            checked={mode === one}
            onChange={() => onChange(one)}
            className="mt-0.5 size-4 shrink-0 accent-(--ink)"
          />
          <span className="min-w-0">
            {words[one]}
            <span className="block text-xs text-soft">{hints[one]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
