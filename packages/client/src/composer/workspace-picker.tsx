import type { Workspace } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { FolderGit2, FolderPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/later-text.ts'
import { Field, Input } from '../ui/field.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { toast } from '../ui/toast.tsx'
import { PickerButton } from './picker-button.tsx'

interface WorkspacePickerProps {
  workspaces: readonly Workspace[]
  value: Workspace | undefined
  onChange: (id: string) => void
  /** Opens what adds one. */
  onAdd: () => void
}

/** Where the agent works. */
export function WorkspacePicker({ workspaces, value, onChange, onAdd }: WorkspacePickerProps) {
  const words = text.composer.fresh
  const isAdmin = useCan('admin')
  const name = (workspace: Workspace) =>
    workspace.main ? words.mainWorkspace(workspace.name) : workspace.name
  return (
    <Menu
      align="start"
      trigger={
        <PickerButton icon={FolderGit2} name={words.workspace} value={value?.name ?? words.noWorkspaces} />
      }
    >
      <MenuChoice
        label={words.workspace}
        value={value?.id ?? ''}
        options={workspaces.map((workspace) => ({
          value: workspace.id,
          label: name(workspace),
          hint: workspace.path,
        }))}
        onChange={onChange}
      />
      {isAdmin && (
        <>
          <MenuSeparator />
          <MenuItem icon={FolderPlus} onSelect={onAdd}>
            {words.addWorkspace}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** Whether what lies in the workspace is trusted. */
export function TrustHint({ workspace }: { workspace: Workspace }) {
  const words = text.composer.fresh
  return (
    <>
      <bdi title={workspace.path} className="block truncate font-mono text-faint">
        {workspace.path}
        {workspace.mode === 'container' && ` · ${words.container}`}
      </bdi>
      {workspace.trust === 'trusted' ? (
        words.trusted
      ) : (
        // Whether it brings anything is not known here: only a change is worth a warning.
        <span className={workspace.trust === 'changed' ? 'text-warn' : undefined}>
          {workspace.trust === 'changed' ? words.changed : words.untrusted}{' '}
          <Link href={`/workspaces/${workspace.id}`} className="underline">
            {words.reviewTrust}
          </Link>
        </span>
      )}
    </>
  )
}

export function AddWorkspace({ onAdded }: { onAdded: (id: string) => void }) {
  const words = text.composer.fresh
  const queries = useQueryClient()
  const [path, setPath] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFault(undefined)
    try {
      const workspace = await api.createWorkspace({ body: { path: path.trim() } })
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
      toast.ok(words.added(workspace.name))
      onAdded(workspace.id)
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void add(event)} className="rounded-lg border border-line bg-raised p-3">
      <Field label={words.path} hint={words.pathHint} fault={fault}>
        {(ids) => (
          <div className="flex gap-2">
            <Input
              {...ids}
              value={path}
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              className="min-w-0 flex-1 font-mono"
              onChange={(event) => {
                setPath(event.currentTarget.value)
                setFault(undefined)
              }}
            />
            <ReasonButton
              type="submit"
              variant="primary"
              busy={busy}
              reason={path.trim() === '' ? words.needsPath : undefined}
            >
              {words.add}
            </ReasonButton>
          </div>
        )}
      </Field>
    </form>
  )
}
