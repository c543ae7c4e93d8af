import type { AllowScope, ApprovalKind, Decider } from '@dorkos/shared'
import { Ban, Check, CircleSlash, Hourglass, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import type { Decision } from '../live/page-session.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { formatDateTime, formatTime } from '../ui/format.ts'
import type { Tone } from '../ui/notice.tsx'
import { decisionWords } from './decision.ts'

const icons: Record<Decision['state'], LucideIcon> = {
  pending: Hourglass,
  allowed: Check,
  denied: Ban,
  expired: Hourglass,
  void: CircleSlash,
}

const colours: Partial<Record<Tone, string>> = { ok: 'text-ok', denied: 'text-denied', warn: 'text-warn' }

interface DecisionLineProps {
  decision: Decision
  kind?: ApprovalKind | undefined
  /** How long the allowance holds, where the decision does not say. */
  scope?: AllowScope | undefined
}

/** Who or what decided, when, and what was said with it: one quiet line that stays. */
export function DecisionLine({ decision, kind, scope }: DecisionLineProps) {
  const { tone, verb, parts, message } = decisionWords(decision, kind, scope)
  const Icon = icons[decision.state]
  const t = text.approvals.decision
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-soft">
      <span className={cx('inline-flex items-center gap-1 font-medium', colours[tone])}>
        <Icon aria-hidden size={13} className="shrink-0" />
        {verb}
      </span>
      {parts.map((part) => (
        <bdi key={part} className="max-w-60 truncate" title={part}>
          {part}
        </bdi>
      ))}
      {decision.by?.kind === 'rule' && <RuleLink rule={decision.by} />}
      <time dateTime={decision.time} title={formatDateTime(decision.time)}>
        {t.at(isToday(decision.time) ? formatTime(decision.time) : formatDateTime(decision.time))}
      </time>
      {message && (
        <span dir="auto" className="min-w-0 basis-full break-words">
          {decision.state === 'denied' && decision.by?.kind === 'person' ? (
            <Quoted message={message} />
          ) : (
            <SafeText text={message} />
          )}
        </span>
      )}
    </p>
  )
}

/** To the rule, as it was called when it decided; it may be another by now, or gone. */
function RuleLink({ rule: { rule_id, rule_name } }: { rule: Decider }) {
  const words = rule_name ?? text.approvals.decision.seeRules
  const hash = rule_id === undefined ? '' : `#${encodeURIComponent(rule_id)}`
  return (
    <Link href={`/rules${hash}`} className="max-w-80 truncate underline" title={withVisibleControls(words)}>
      <bdi className={cx(rule_name !== undefined && 'font-mono')}>
        <SafeText text={words} />
      </bdi>
    </Link>
  )
}

function Quoted({ message }: { message: string }) {
  const [before = '', after = ''] = text.approvals.decision.message('\u0000').split('\u0000')
  return (
    <>
      {before}
      <SafeText text={message} />
      {after}
    </>
  )
}

function isToday(time: string): boolean {
  return new Date(time).toDateString() === new Date().toDateString()
}
