import type { Approval, Risk } from '@dorkos/shared'
import { CircleHelp, ClipboardList, FormInput, type LucideIcon, ShieldQuestion } from 'lucide-react'
import { Link } from 'wouter'
import { useSessionName, useWorkspaceName } from '../queries/use-names.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Badge } from '../ui/badge.tsx'
import type { Tone } from '../ui/notice.tsx'
import { Countdown } from './countdown.tsx'
import { ToolLabel } from './tool-label.tsx'

const icons: Record<Approval['kind'], LucideIcon> = {
  tool: ShieldQuestion,
  question: CircleHelp,
  plan: ClipboardList,
  elicitation: FormInput,
}

export const riskTones: Record<Risk, Tone> = {
  read: 'neutral',
  write: 'warn',
  execute: 'warn',
  network: 'warn',
  admin: 'danger',
  unknown: 'warn',
}

export function RiskBadge({ risk }: { risk: Risk }) {
  const { word, means } = text.approvals.risk[risk]
  return (
    <Badge tone={riskTones[risk]} title={means}>
      {word}
    </Badge>
  )
}

interface ApprovalHeaderProps {
  approval: Approval
  titleId: string
  variant: 'flow' | 'inbox'
  isOpen: boolean
}

export function ApprovalHeader({ approval, titleId, variant, isOpen }: ApprovalHeaderProps) {
  const Icon = icons[approval.kind]
  return (
    <header className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden size={17} className={isOpen ? 'shrink-0 text-attention' : 'shrink-0 text-faint'} />
        <h3 id={titleId} className="min-w-0 flex-1 basis-40 text-sm font-semibold break-words">
          <Title approval={approval} isOpen={isOpen} />
        </h3>
        {approval.kind === 'tool' && <RiskBadge risk={approval.risk} />}
        {isOpen && <Countdown deadline={approval.deadline} />}
      </div>
      {approval.kind === 'tool' && isOpen && (
        <p className="text-xs text-soft">{text.approvals.risk[approval.risk].means}</p>
      )}
      {variant === 'inbox' && <Where approval={approval} />}
    </header>
  )
}

function Title({ approval, isOpen }: { approval: Approval; isOpen: boolean }) {
  const t = text.approvals.card
  if (approval.kind === 'question') return t.asksQuestion
  if (approval.kind === 'plan') return t.asksPlan
  if (approval.kind === 'elicitation')
    return <bdi>{t.asksForm(withVisibleControls(String(approval.input.server ?? '')))}</bdi>
  return (
    <>
      {isOpen ? t.asks : t.asked}{' '}
      <span className="font-mono">
        <ToolLabel tool={approval.tool} />
      </span>
    </>
  )
}

function Where({ approval }: { approval: Approval }) {
  const session = useSessionName(approval.session_id)
  const workspace = useWorkspaceName(approval.workspace_id)
  const t = text.approvals.card
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-xs text-soft">
      <span className="min-w-0 max-w-full truncate">
        {t.session}{' '}
        <Link href={`/sessions/${approval.session_id}`} className="link" title={session}>
          <bdi>{session}</bdi>
        </Link>
      </span>
      {workspace !== undefined && (
        <span className="min-w-0 max-w-full truncate">
          {t.workspace} <bdi title={workspace}>{workspace}</bdi>
        </span>
      )}
    </p>
  )
}
