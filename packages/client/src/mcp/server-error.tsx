import type { McpServer } from '@dorkos/shared'
import { useCountdown } from '../approvals/use-countdown.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { useMcpServer } from './mcp-queries.ts'
import { hasPage, nextTryWords } from './server-state.ts'
import { SignInHint } from './sign-in-hint.tsx'
import { wantsSignIn } from './sign-in-steps.ts'
import { StderrView } from './stderr-view.tsx'

interface ServerErrorProps {
  server: McpServer
  workspaceId: string | undefined
}

/** Why a server does not work, when it is tried again, what it wrote, and what to do where it wants a sign-in. */
export function ServerError(props: ServerErrorProps) {
  return (
    <>
      <Fault {...props} />
      <SignInHint {...props} />
    </>
  )
}

function Fault({ server, workspaceId }: ServerErrorProps) {
  const { health } = server
  if (!health || health.error === undefined || health.state === 'connected' || wantsSignIn(server))
    return null
  return (
    <div className="rounded-lg bg-danger-ground px-3 py-2 text-sm text-danger">
      <p className="break-words" dir="auto">
        <SafeText text={health.error} />
      </p>
      <div className="flex flex-wrap items-center gap-x-3">
        {health.failures > 1 && <span className="text-xs">{text.mcp.failures(health.failures)}</span>}
        {health.next_try_at !== undefined && <NextTry at={health.next_try_at} />}
      </div>
      {hasPage(server) && server.entry.type === 'stdio' && (
        <Disclosure label={text.mcp.stderrShow}>
          <Output name={server.name} workspaceId={workspaceId} />
        </Disclosure>
      )}
    </div>
  )
}

function NextTry({ at }: { at: string }) {
  return <span className="text-xs">{nextTryWords(useCountdown(at))}</span>
}

function Output({ name, workspaceId }: { name: string; workspaceId: string | undefined }) {
  const query = useMcpServer(name, workspaceId)
  return <QueryView query={query}>{({ stderr }) => <StderrView lines={stderr} />}</QueryView>
}
