import type { McpServer } from '@dorkos/shared'
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { formatCount, formatMs } from '../ui/format.ts'
import { overriddenBy } from './group-servers.ts'
import { ServerActions } from './server-actions.tsx'
import { ServerCalls } from './server-calls.tsx'
import { ServerError } from './server-error.tsx'
import { hasPage, isOff, pageOf } from './server-state.ts'
import { ServerSwitch } from './server-switch.tsx'
import { SourceLink } from './source-link.tsx'
import { locationOf, whyUnused } from './source-text.ts'
import { StateMark } from './state-mark.tsx'

interface ServerCardProps {
  server: McpServer
  all: readonly McpServer[]
  workspaceId: string | undefined
  /** In the address of the page; undefined is the main one. */
  choiceId: string | undefined
}

/** One server that sessions get, or would if nobody had switched it off. */
export function ServerCard({ server, all, workspaceId, choiceId }: ServerCardProps) {
  const below = server.use === 'active' ? overriddenBy(server, all) : []
  return (
    <li className="flex flex-col gap-1 rounded-xl border border-line bg-card p-3 sm:px-4">
      <div className="flex items-start gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
          <ServerName server={server} choiceId={choiceId} />
          <StateMark server={server} />
          {server.held_tools > 0 && (
            <Badge tone="warn" title={text.mcp.heldHint}>
              {text.mcp.held(server.held_tools)}
            </Badge>
          )}
        </div>
        <div className="flex shrink-0 items-center gap-1">
          <ServerActions server={server} workspaceId={workspaceId} />
          <ServerSwitch server={server} workspaceId={workspaceId} />
        </div>
      </div>
      <SourceLink server={server} />
      <Facts server={server} choiceId={choiceId} />
      {isOff(server) && server.message !== undefined && (
        <p className="text-sm text-soft">
          <SafeText text={whyUnused(server)} />
        </p>
      )}
      {below.length > 0 && (
        <p className="text-xs text-soft">
          {text.mcp.overrides}{' '}
          {below.map((one) => (
            <bdi key={locationOf(one.source)} className="mr-2 font-mono break-all">
              <SafeText text={locationOf(one.source)} />
            </bdi>
          ))}
        </p>
      )}
      <ServerError server={server} workspaceId={workspaceId} />
    </li>
  )
}

function ServerName({ server, choiceId }: { server: McpServer; choiceId: string | undefined }) {
  const name = (
    <bdi className="truncate">
      <SafeText text={server.name} />
    </bdi>
  )
  const title = withVisibleControls(server.name)
  if (!hasPage(server))
    return (
      <h2 title={title} className="min-w-0 truncate font-semibold">
        {name}
      </h2>
    )
  return (
    <h2 className="min-w-0 font-semibold">
      <Link
        href={pageOf(server.name, choiceId)}
        title={title}
        className="inline-flex max-w-full items-center gap-0.5 hover:underline max-sm:min-h-10"
      >
        {name}
        <ChevronRight aria-hidden size={15} className="shrink-0 text-faint" />
      </Link>
    </h2>
  )
}

function Facts({ server, choiceId }: { server: McpServer; choiceId: string | undefined }) {
  const { health, entry } = server
  const isUp = health?.state === 'connected'
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-soft tabular-nums">
      <span>{text.mcp.kinds[entry.type]}</span>
      {health && isUp && (
        <>
          <span>{text.mcp.tools(health.tools)}</span>
          <span title={text.mcp.tokensHint}>{text.mcp.tokens(formatCount(health.context_tokens))}</span>
          {health.connect_ms !== undefined && <span>{text.mcp.connectIn(formatMs(health.connect_ms))}</span>}
          {hasPage(server) && <ServerCalls name={server.name} workspaceId={choiceId} />}
        </>
      )}
      {health && health.sessions > 0 && <span>{text.mcp.sessions(health.sessions)}</span>}
    </p>
  )
}
