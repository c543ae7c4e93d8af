import type { Token } from '@dorkos/shared'
import { api } from '../api.ts'
import { signedOut } from '../auth/auth-store.ts'
import { queryClient } from '../queries/query-client.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Confirm } from '../ui/confirm.tsx'
import { formatDateTime } from '../ui/format.ts'
import { toast } from '../ui/toast.tsx'
import { lastUse } from './last-use.ts'
import { endsWith } from './token-list.ts'
import { tokensKey } from './use-tokens.ts'

const mostNames = 5

interface RevokeDialogProps {
  token: Token
  tokens: readonly Token[]
  now: number
  onClose: () => void
}

export function RevokeDialog({ token, tokens, now, onClose }: RevokeDialogProps) {
  const t = text.devices
  const revoke = async () => {
    await api.revokeToken({ params: { id: token.id } })
    if (token.current || children.some((child) => child.current)) return signedOut('left')
    toast.ok(t.revokedNow)
    await queryClient.invalidateQueries({ queryKey: tokensKey })
  }
  const children = endsWith(token.id, tokens, now)
  const ends = token.current || children.some((child) => child.current)
  const message = [
    t.revokeWhich(
      formatDateTime(token.created_at),
      token.last_used_at && formatDateTime(token.last_used_at),
      lastUse(token, location.hostname),
    ),
    t.revokeMeans,
    ...(ends ? [t.revokeCurrent] : []),
    ...(children.length > 0 ? [t.revokeChildren(children.length, namesOf(children))] : []),
  ].join(' ')
  return (
    <Confirm
      open
      onClose={onClose}
      title={t.revokeTitle(withVisibleControls(token.name))}
      message={message}
      action={t.revoke}
      danger
      onConfirm={revoke}
    />
  )
}

function namesOf(tokens: readonly Token[]): string {
  const names = tokens
    .slice(0, mostNames)
    .map(({ name }) => withVisibleControls(name))
    .join(', ')
  return tokens.length > mostNames ? text.devices.andMore(names, tokens.length - mostNames) : names
}
