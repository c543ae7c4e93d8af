/** All about a session that its header has no room for; on a phone also its meters. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PageSession } from '../live/page-session.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { formatDateTime, formatUsd } from '../ui/format.ts'
import { ContextMeter } from './context-meter.tsx'
import { CostMeter } from './cost-meter.tsx'
import { McpChip } from './mcp-chip.tsx'

export function SessionDetails({ state, workspace }: { state: PageSession; workspace: string | undefined }) {
  const { session } = state
  if (session === undefined) return null
  const words = text.conversation
  const limits = [
    session.max_turns === undefined ? '' : words.maxTurns(session.max_turns),
    !session.budget_usd ? '' : words.budgetOf(formatUsd(session.budget_usd)),
  ].filter((limit) => limit !== '')
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {workspace !== undefined && (
          <Fact name={words.workspace}>
            <Link href={`/workspaces/${session.workspace_id}`} className="link">
              <bdi>{workspace}</bdi>
            </Link>
          </Fact>
        )}
        {workspace !== undefined && (
          <Fact name={text.workspaceHooks.short}>
            <Link href={`/workspaces/${session.workspace_id}#hooks`} className="link">
              {text.workspaceHooks.link}
            </Link>
          </Fact>
        )}
        <Fact name={words.directory}>
          <bdi className="font-mono text-xs">
            <SafeText text={session.cwd} />
          </bdi>
        </Fact>
        {session.branch !== undefined && session.branch !== 'HEAD' && (
          <Fact name={words.branch}>
            <bdi className="font-mono text-xs">{session.branch}</bdi>
          </Fact>
        )}
        <Fact name={words.model}>
          {session.demo ? words.demoModel : (session.model ?? words.defaultModel)}
        </Fact>
        {session.profile && (
          <Fact name={words.profile}>
            <bdi>{session.profile.name}</bdi>
          </Fact>
        )}
        <Fact name={words.origin}>
          {(session.origin === 'terminal' ? words.startedInTerminal : words.startedHere)(
            formatDateTime(session.created_at),
          )}
        </Fact>
        <Fact name={words.process}>{session.live ? words.processLive : words.processNone}</Fact>
        {session.unattended && <Fact name={words.unattendedName}>{words.unattendedHint}</Fact>}
        {limits.length > 0 && <Fact name={words.limits}>{limits.join(', ')}</Fact>}
        {session.forked_from !== undefined && (
          <Fact name={words.forkedFrom}>
            <Link href={`/sessions/${session.forked_from}`} className="link">
              {words.forkedFromLink}
            </Link>
          </Fact>
        )}
      </dl>
      <div className="-mx-2 flex flex-wrap items-center border-t border-line pt-2 empty:hidden">
        <span className="contents sm:hidden">
          {session.live && <ContextMeter id={session.id} turns={0} />}
          <CostMeter state={state} />
        </span>
        <McpChip id={session.id} servers={state.mcpServers} always />
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
