import type { HookGrant, HookState } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { toast } from '../ui/toast.tsx'

interface ConsentActionsProps {
  workspaceId: string
  /** Of exactly what is shown beside it. */
  digest: string
  state: HookState
  /** What was allowed. */
  grant: HookGrant | undefined
  /** What the safe answer is called. */
  label: string
  /** It can also be let allow tool calls. */
  canAllow: boolean
}

/** Lets a hook run or a plugin load as it is shown, or takes that back. The answer that gives least comes first. */
export function ConsentActions({ workspaceId, digest, state, grant, label, canAllow }: ConsentActionsProps) {
  const isAdmin = useCan('admin')
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState(false)
  const words = text.workspaceHooks
  const queryKey = ['workspace-trust', workspaceId, 'hooks']
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      queries.setQueryData(queryKey, await work())
      toast.ok(done)
    } catch (error) {
      toast.error(errorText(error))
      await queries.invalidateQueries({ queryKey })
    }
    setBusy(false)
  }
  const allow = (wanted: HookGrant) =>
    act(
      () => api.allowWorkspaceHook({ params: { id: workspaceId }, body: { digest, grant: wanted } }),
      words.allowed,
    )
  const revoke = () =>
    act(() => api.revokeWorkspaceHook({ params: { id: workspaceId, digest } }), words.revoked)
  if (state === 'unsupported' || (state === 'off' && grant === undefined)) return null
  if (!isAdmin) return <p className="pt-2 text-xs text-soft">{text.workspaces.notAdmin}</p>
  return (
    <div className="flex flex-wrap gap-2 pt-2">
      {grant === undefined && (
        <Button size="sm" busy={busy} onClick={() => void allow('run')}>
          {label}
        </Button>
      )}
      {canAllow && grant !== 'allow' && (
        <Button size="sm" variant="ghost" disabled={busy} onClick={() => setAsked(true)}>
          {words.allowCalls}
        </Button>
      )}
      {grant !== undefined && (
        <Button size="sm" busy={busy} onClick={() => void revoke()}>
          {words.revoke}
        </Button>
      )}
      <Confirm
        open={asked}
        onClose={() => setAsked(false)}
        title={words.allowCallsTitle}
        message={words.allowCallsMessage}
        action={words.allowCalls}
        danger
        onConfirm={() => allow('allow')}
      />
    </div>
  )
}
