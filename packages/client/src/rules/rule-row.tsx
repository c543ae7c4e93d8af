import type { Rule, RuleScope } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useSessionName, useWorkspaceName } from '../queries/use-names.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import type { Tone } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'

const effectTones: Record<Rule['effect'], Tone> = { allow: 'ok', deny: 'denied', ask: 'neutral' }

interface RuleRowProps {
  rule: Rule
  onEdit: () => void
  onRevoke: () => void
}

/** `named`: the address names it, so it is brought into sight. */

export function RuleRow({ rule, named, onEdit, onRevoke }: RuleRowProps & { named: boolean }) {
  const t = text.rules
  const isRevoked = rule.revoked_at !== undefined
  const isOurs = rule.origin !== 'configuration' && !isRevoked
  return (
    <li
      ref={named ? intoView : undefined}
      aria-current={named || undefined}
      className={cx(
        'flex min-w-0 items-start gap-3 px-4 py-3',
        isRevoked && 'opacity-60',
        named && 'bg-raised',
      )}
    >
      <span className="w-14 shrink-0 pt-0.5" title={t.effectMeans[rule.effect]}>
        <Badge tone={effectTones[rule.effect]}>{t.effects[rule.effect]}</Badge>
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="font-mono text-sm font-medium break-all">
          <SafeText text={rule.tool} />
        </p>
        <Match rule={rule} />
        <p className="flex min-w-0 flex-wrap gap-x-3 gap-y-0.5 text-xs text-soft">
          <ScopeName scope={rule.scope} />
          <Origin rule={rule} />
          {rule.revoked_at !== undefined && (
            <span>
              {t.revokedAt} <Time value={rule.revoked_at} />
            </span>
          )}
        </p>
      </div>
      {isOurs && <RuleMenu rule={rule} onEdit={onEdit} onRevoke={onRevoke} />}
    </li>
  )
}

const intoView = (row: HTMLLIElement | null): void => row?.scrollIntoView({ block: 'nearest' })

export function Match({ rule: { match, pattern, fields, prefix } }: { rule: Rule }) {
  const t = text.rules
  if (match === undefined) return <p className="text-sm text-soft">{t.every}</p>
  return (
    <div className="min-w-0">
      {fields && <p className="pb-0.5 text-sm text-soft">{t.fixed}</p>}
      {prefix && <p className="pb-0.5 text-sm text-soft">{t.prefix}</p>}
      <pre
        dir="ltr"
        className="max-h-40 overflow-y-auto rounded-md bg-raised px-2 py-1 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <SafeText text={match} />
      </pre>
      {pattern && match.includes('*') && <p className="pt-0.5 text-xs text-faint">{t.pattern}</p>}
    </div>
  )
}

function ScopeName({ scope }: { scope: RuleScope }) {
  if (scope.kind === 'workspace') return <WorkspaceScope id={scope.workspace_id} />
  if (scope.kind === 'session') return <SessionScope id={scope.session_id} />
  return <span>{text.rules.scopes.everywhere}</span>
}

function WorkspaceScope({ id }: { id: string }) {
  const name = useWorkspaceName(id) ?? id
  return (
    <bdi className="max-w-full truncate" title={name}>
      {text.rules.scopes.workspace(name)}
    </bdi>
  )
}

function SessionScope({ id }: { id: string }) {
  const name = useSessionName(id)
  return (
    <Link href={`/sessions/${id}`} className="max-w-full truncate underline" title={name}>
      <bdi>{text.rules.scopes.session(name)}</bdi>
    </Link>
  )
}

function Origin({ rule }: { rule: Rule }) {
  const t = text.rules
  if (rule.origin === 'configuration') return <ConfigurationOrigin />
  return (
    <span>
      {t.origins[rule.origin]} {t.by(rule.principal)} <Time value={rule.created_at} />
    </span>
  )
}

function ConfigurationOrigin() {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => api.getConfig({ signal }),
    staleTime: 60_000,
  })
  const t = text.rules
  return (
    <span className="[overflow-wrap:anywhere]">
      {t.origins.configuration} {t.configurationMeans(data?.file)}
    </span>
  )
}

function RuleMenu({ rule, onEdit, onRevoke }: RuleRowProps) {
  const mayEdit = useCan('admin')
  const mayApprove = useCan('approve')
  // To take an "allow" back makes things stricter; to take the others back loosens them.
  const mayRevoke = rule.effect === 'allow' ? mayApprove : mayEdit
  const t = text.rules
  if (!mayEdit && !mayRevoke) return null
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={t.actions(rule.tool)} />}>
      {mayEdit && (
        <MenuItem icon={Pencil} onSelect={onEdit}>
          {t.edit}
        </MenuItem>
      )}
      {mayRevoke && (
        <MenuItem icon={Trash2} danger onSelect={onRevoke}>
          {t.revoke}
        </MenuItem>
      )}
    </Menu>
  )
}
