import type { Token } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { checkAuth } from '../auth/auth-store.ts'
import { useServerClock } from '../live/use-live.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Empty } from '../ui/page.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { sortTokens, tokenState } from './token-list.ts'
import { TokenRow } from './token-row.tsx'
import { useOwn } from './use-own.ts'
import { tokensKey } from './use-tokens.ts'

const listClass = 'divide-y divide-line rounded-xl border border-line bg-card'
const mostEnded = 50

/** Who can reach the server; those who could, folded away. */
export function TokenRows({ tokens }: { tokens: readonly Token[] }) {
  const t = text.devices
  const now = Date.now() + useServerClock()
  const [chosen, setChosen] = useState<Token>()
  const [renamed, setRenamed] = useState<Token>()
  const { active, ended } = sortTokens(tokens, now)
  const names = new Map(tokens.map(({ id, name }) => [id, name]))
  const row = (token: Token, more?: { onRename: () => void; onRevoke: () => void }) => (
    <TokenRow
      key={token.id}
      token={token}
      state={tokenState(token, now)}
      maker={token.made_by === undefined ? undefined : (names.get(token.made_by) ?? null)}
      {...more}
    />
  )
  if (tokens.length === 0)
    return (
      <Empty icon={MonitorSmartphone} title={t.empty}>
        {t.emptyLead}
      </Empty>
    )
  return (
    <>
      <ul className={listClass}>
        {active.map((token) =>
          row(token, { onRename: () => setRenamed(token), onRevoke: () => setChosen(token) }),
        )}
      </ul>
      {ended.length > 0 && (
        <Disclosure label={t.ended(ended.length)} bodyClassName="pt-2">
          <ul className={listClass}>{ended.slice(0, mostEnded).map((token) => row(token))}</ul>
        </Disclosure>
      )}
      {renamed && <RenameDevice token={renamed} onClose={() => setRenamed(undefined)} />}
      {chosen && (
        <RevokeDialog token={chosen} tokens={tokens} now={now} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

function RenameDevice({ token, onClose }: { token: Token; onClose: () => void }) {
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
