import type { McpServer } from '@dorkos/shared'
import { useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { useMcpChange, workspaceQuery } from './mcp-queries.ts'

interface SignedInProps {
  server: McpServer
  workspaceId: string | undefined
}

/** Who is signed in to a server, since when and where, and the way out. */
export function SignedIn({ server, workspaceId }: SignedInProps) {
  const isAdmin = useCan('admin')
  const change = useMcpChange()
  const [asks, setAsks] = useState(false)
  const { signed_in: signedIn } = server
  if (!signedIn) return null
  const words = text.mcp.signIn.signedIn
  const name = withVisibleControls(server.name)
  const end = async () => {
    await api.endMcpSignIn({ params: { name: server.name }, query: workspaceQuery(workspaceId) })
    toast.ok(words.ended(name))
    void change.run(async () => undefined)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-xs text-soft">{words.label}</p>
        <p dir="auto" className="break-words">
          {words.by(withVisibleControls(signedIn.by), withVisibleControls(signedIn.host))}{' '}
          <Time value={signedIn.at} />
        </p>
        {signedIn.scopes !== undefined && signedIn.scopes.length > 0 && (
          <p dir="auto" className="text-xs break-words text-soft">
            {words.scopes(signedIn.scopes.map(withVisibleControls).join(', '))}
          </p>
        )}
      </div>
      {isAdmin && (
        <Button size="sm" onClick={() => setAsks(true)}>
          {words.end}
        </Button>
      )}
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={words.endTitle(name)}
        message={words.endMessage(name)}
        action={words.end}
        danger
        onConfirm={end}
      />
    </div>
  )
}
