import type { McpServerHealth } from '@dorkos/shared'
import { useHiddenSignIns } from './hidden-sign-ins.ts'
import { useSessionMcp } from './mcp-queries.ts'
import { sessionServers } from './session-servers.ts'
import { SignInCard } from './sign-in-card.tsx'
import { wantsSignIn } from './sign-in-steps.ts'

interface SessionSignInsProps {
  sessionId: string
  /** What the session's process says of its servers. */
  ofProcess: readonly McpServerHealth[]
}

/** The servers of a session that a person can sign in to, and has not: without leaving the conversation. */
export function SessionSignIns({ sessionId, ofProcess }: SessionSignInsProps) {
  const { data } = useSessionMcp(sessionId)
  const hidden = useHiddenSignIns(sessionId)
  const waiting = sessionServers(ofProcess, data?.servers ?? []).flatMap(({ state, entry }) =>
    state === 'needs_auth' && entry && wantsSignIn(entry) && !hidden.has(entry.name) ? [entry] : [],
  )
  if (waiting.length === 0) return null
  return (
    <div className="mx-auto flex max-h-[40dvh] w-full max-w-3xl flex-col gap-1.5 overflow-y-auto px-4 py-2 sm:px-6">
      {waiting.map((server) => (
        <SignInCard
          key={server.name}
          server={server}
          workspaceId={data?.workspace_id}
          compact
          onHide={() => hidden.add(server.name)}
        />
      ))}
    </div>
  )
}
