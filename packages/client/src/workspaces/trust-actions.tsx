import { ApiError, type Workspace, type WorkspaceTrust } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useRef, useState } from 'react'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Notice } from '../ui/notice.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { toast } from '../ui/toast.tsx'

interface TrustActionsProps {
  workspace: Workspace
  trust: WorkspaceTrust
}

/**
 * Gives trust to exactly what is shown. When news of the files comes while somebody looks, they are notified, and trust waits until they have looked
 * again: the digest that is sent is one that was seen.
 */
export function TrustActions({ workspace, trust }: TrustActionsProps) {
  const isAdmin = useCan('admin')
  const queries = useQueryClient()
  const [seen, setSeen] = useState(trust.digest)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [asked, setAsked] = useState(false)
  const actions = useRef<HTMLFieldSetElement>(null)
  const words = text.workspaces.actions
  const name = withVisibleControls(workspace.name)
  const params = { id: workspace.id }
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['workspace-trust', workspace.id] }),
      queries.invalidateQueries({ queryKey: ['workspaces'] }),
      queries.invalidateQueries({ queryKey: ['mcp'] }),
    ])
  const give = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      const now = await api.giveWorkspaceTrust({ params, body: { digest: seen } })
      queries.setQueryData(['workspace-trust', workspace.id], now)
      toast.ok(words.trusted(name))
    } catch (error) {
      const hasChanged =
        error instanceof ApiError && error.code === 'conflict' && isOther(error.details, seen)
      setFault(hasChanged ? undefined : errorText(error))
    }
    await refresh()
    setBusy(false)
    // The button that was pressed is gone.
    if (document.activeElement === document.body) actions.current?.focus()
  }
  const withdraw = async () => {
    await api.takeWorkspaceTrust({ params })
    toast.ok(words.withdrawn(name))
    await refresh()
  }
  const changed = trust.digest !== seen
  return (
    <div className="flex flex-col gap-2">
      {changed && trust.state !== 'trusted' && (
        <Notice
          tone="warn"
          action={
            <Button size="sm" onClick={() => setSeen(trust.digest)}>
              {words.reviewed}
            </Button>
          }
        >
          {words.changedMeanwhile}
        </Notice>
      )}
      {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
      {!isAdmin && <Notice tone="neutral">{text.workspaces.notAdmin}</Notice>}
      <fieldset
        ref={actions}
        tabIndex={-1}
        aria-label={words.group}
        className="flex min-w-0 flex-wrap items-center gap-2 outline-none"
      >
        {isAdmin && trust.state !== 'trusted' && (
          <ReasonButton
            shows={!changed}
            variant="primary"
            icon={ShieldCheck}
            busy={busy}
            reason={changed ? words.changedMeanwhile : trust.faults.length > 0 ? words.blocked : undefined}
            onClick={() => void give()}
          >
            {trust.items.length === 0 ? words.trustNothing : words.trust}
          </ReasonButton>
        )}
        {isAdmin && trust.state !== 'untrusted' && (
          <Button icon={ShieldOff} busy={busy} onClick={() => setAsked(true)}>
            {words.withdraw}
          </Button>
        )}
      </fieldset>
      <Confirm
        open={asked}
        onClose={() => setAsked(false)}
        title={words.withdrawTitle(name)}
        message={words.withdrawMessage}
        action={words.withdraw}
        danger
        onConfirm={withdraw}
      />
    </div>
  )
}

/** Whether a refusal says that the workspace is not what was seen. */
function isOther(details: unknown, seen: string): boolean {
  const digest =
    typeof details === 'object' && details !== null && 'digest' in details ? details.digest : undefined
  return typeof digest === 'string' && digest !== seen
}
