import type { Token } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { checkAuth } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { NameDialog } from '../ui/name-dialog.tsx'
import { useOwn } from './use-own.ts'
import { tokensKey } from './use-tokens.ts'

export function RenameDevice({ token, onClose }: { token: Token; onClose: () => void }) {
  const words = text.devices
  const queries = useQueryClient()
  const own = useOwn().token
  const save = async (name: string) => {
    await api.renameToken({ params: { id: token.id }, body: { name } })
    await Promise.all([
      queries.invalidateQueries({ queryKey: tokensKey }),
      // The page says its own name elsewhere too.
      own?.id === token.id && checkAuth(),
    ])
  }
  return (
    <NameDialog
      title={words.renameTitle(withVisibleControls(token.name))}
      description={words.renameLead}
      label={words.tokenName}
      name={token.name}
      maxLength={100}
      missing={words.tokenNameFault}
      onSave={save}
      onClose={onClose}
    />
  )
}
