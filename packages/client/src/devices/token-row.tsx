import type { Token } from '@dorkos/shared'
import { Globe, KeyRound, SquareTerminal } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { formatDateTime } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { lastAddress, lastProgram } from './last-use.ts'
import type { TokenState } from './token-list.ts'

const icons = { browser: Globe, terminal: SquareTerminal, api: KeyRound }

interface TokenRowProps {
  token: Token
  state: TokenState
  /** The name of the one that signed it in; null for one that is gone. */
  maker: string | null | undefined
  onRename?: () => void
  onRevoke?: () => void
}

export function TokenRow({ token, state, maker, onRename, onRevoke }: TokenRowProps) {
  const t = text.devices
  const added = useId()
  const Icon = icons[token.kind]
  const name = withVisibleControls(token.name)
  const address = lastAddress(token, location.hostname)
  const program = lastProgram(token)
  return (
    <li className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-2 px-3 py-3">
      <Icon aria-hidden size={18} className="mt-0.5 shrink-0 text-soft" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 truncate font-medium" title={name}>
            {name}
          </bdi>
          {token.current && <Badge>{t.thisOne}</Badge>}
          {state === 'revoked' && <Badge tone="danger">{t.revoked}</Badge>}
          {state === 'expired' && <Badge>{t.expired}</Badge>}
          <span className="text-xs text-soft">{t.kinds[token.kind]}</span>
          {/* Two browsers of a kind have the same name. */}
          <time id={added} dateTime={token.created_at} className="text-xs text-soft">
            {t.addedAt(formatDateTime(token.created_at))}
          </time>
        </div>
        <div className="flex flex-wrap gap-1">
          {token.scopes.map((scope) => (
            <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'neutral'} title={t.scopes[scope].means}>
              {t.scopes[scope].name}
            </Badge>
          ))}
        </div>
        <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-soft">
          <Fact name={t.lastUsed}>{token.last_used_at ? <Time value={token.last_used_at} /> : t.never}</Fact>
          {address !== undefined && (
            <Fact name={t.usedFrom}>
              <bdi className="break-all">{address}</bdi>
            </Fact>
          )}
          {program !== undefined && (
            <Fact name={t.usedWith}>
              <bdi
                className="break-all"
                title={token.last_used_agent && withVisibleControls(token.last_used_agent)}
              >
                {program}
              </bdi>
            </Fact>
          )}
          {state === 'revoked' && token.revoked_at !== undefined ? (
            <Fact name={t.revoked}>
              <Time value={token.revoked_at} />
            </Fact>
          ) : (
            <Fact name={t.expires}>
              {token.expires_at ? <Time value={token.expires_at} /> : t.neverExpires}
            </Fact>
          )}
          {maker !== undefined && (
            <Fact name={t.madeBy}>
              <bdi>{maker === null ? t.goneMaker : withVisibleControls(maker)}</bdi>
            </Fact>
          )}
        </dl>
      </div>
      {onRename && (
        <Button
          size="sm"
          variant="ghost"
          onClick={onRename}
          aria-label={t.renameLabel(name)}
          aria-describedby={added}
        >
          {t.rename}
        </Button>
      )}
      {onRevoke && (
        <Button size="sm" onClick={onRevoke} aria-label={t.revokeLabel(name)} aria-describedby={added}>
          {t.revoke}
        </Button>
      )}
    </li>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1">
      <dt className="text-faint">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
