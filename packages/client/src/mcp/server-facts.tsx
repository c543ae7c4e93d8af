import type { McpServer } from '@dorkos/shared'
import type { ReactNode } from 'react'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { formatCount, formatMs } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { callFigures } from './call-figures.ts'
import { launchLine } from './launch-line.ts'
import type { McpTool } from './server-state.ts'

interface ServerFactsProps {
  server: McpServer
  tools: readonly McpTool[]
}

/** What is known about a server, as a list of names and values. */
export function ServerFacts({ server, tools }: ServerFactsProps) {
  const { entry, health } = server
  const words = text.mcp.server
  const info = health?.server
  return (
    <dl className="grid min-w-0 grid-cols-1 gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
      <Fact label={words.kind}>{text.mcp.kinds[entry.type]}</Fact>
      <Fact label={entry.command === undefined ? words.address : words.runs}>
        <code className="text-xs break-all">
          <SafeText text={launchLine(entry)} />
        </code>
      </Fact>
      {health && (
        <>
          <Fact label={words.since}>
            <Time value={health.since} />
          </Fact>
          <Fact label={words.latency}>
            <Latency server={server} tools={tools} />
          </Fact>
          {info && (
            <Fact label={words.program}>
              <SafeText text={`${info.title ?? info.name} ${info.version}`} />
            </Fact>
          )}
          {health.protocol_version !== undefined && (
            <Fact label={words.protocol}>
              <SafeText text={health.protocol_version} />
            </Fact>
          )}
          {health.pids.length > 0 && <Fact label={words.processes}>{health.pids.join(', ')}</Fact>}
          {health.own_connections > 0 && (
            <Fact label={words.ownProcesses}>{formatCount(health.own_connections)}</Fact>
          )}
          <Fact label={words.usedBy}>{text.mcp.sessions(health.sessions)}</Fact>
          <Fact label={words.context}>{words.contextTokens(formatCount(health.context_tokens))}</Fact>
        </>
      )}
      {health?.asks_for_input && <p className="text-soft sm:col-span-2">{text.mcp.asksForInput}</p>}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-soft">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

function Latency({ server: { health }, tools }: ServerFactsProps) {
  const { calls, errors, p50Ms, p95Ms } = callFigures(tools)
  const words = text.mcp.server
  return (
    <span className="flex flex-wrap gap-x-3 tabular-nums">
      {health?.connect_ms !== undefined && <span>{words.latencyConnect(formatMs(health.connect_ms))}</span>}
      {calls === 0 ? (
        <span className="text-soft">{words.noCalls}</span>
      ) : (
        <>
          <span>{text.mcp.calls(calls)}</span>
          {errors > 0 && <span className="text-danger">{text.mcp.errors(errors)}</span>}
          {p50Ms !== undefined && (
            <span title={text.mcp.p50Hint}>{`${text.mcp.p50} ${formatMs(p50Ms)}`}</span>
          )}
          {p95Ms !== undefined && (
            <span title={text.mcp.p95Hint}>{`${text.mcp.p95} ${formatMs(p95Ms)}`}</span>
          )}
        </>
      )}
    </span>
  )
}
