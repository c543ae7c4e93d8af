import type { McpServer } from '@dorkos/shared'
import { useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { useMcpChange } from './mcp-queries.ts'
import { isOwnEntry } from './server-state.ts'
import { SignInCard } from './sign-in-card.tsx'
import { wantsSignIn } from './sign-in-steps.ts'
import { SourceDialog } from './source-dialog.tsx'

interface SignInHintProps {
  server: McpServer
  workspaceId: string | undefined
}

/** What to do about a server that wants other credentials: sign in, change them, or leave the server to Claude Code. */
export function SignInHint({ server, workspaceId }: SignInHintProps) {
  const [asked, setAsked] = useState<'edit' | 'leave' | 'show'>()
  const close = () => setAsked(undefined)
  // A window that is open stays, whatever becomes of the server meanwhile.
  return (
    <>
      {server.health?.state !== 'needs_auth' ? null : wantsSignIn(server) ? (
        <SignInCard server={server} workspaceId={workspaceId}>
          {isOwnEntry(server) && (
            <Button size="sm" variant="ghost" onClick={() => setAsked('edit')}>
              {text.mcp.signIn.useToken}
            </Button>
          )}
        </SignInCard>
      ) : (
        <Hint server={server} onAsk={setAsked} />
      )}
      {asked === 'edit' && <EditDialog server={server} onClose={close} />}
      <SourceDialog server={server} open={asked === 'show'} onClose={close} />
      <Leave server={server} open={asked === 'leave'} onClose={close} />
    </>
  )
}

interface HintProps {
  server: McpServer
  onAsk: (what: 'edit' | 'leave' | 'show') => void
}

function Hint({ server, onAsk }: HintProps) {
  const isAdmin = useCan('admin')
  const words = text.mcp.signIn
  const own = isOwnEntry(server)
  return (
    <Notice tone="warn">
      <p>{own ? words.own : words.elsewhere[server.source.scope]}</p>
      {own && !isAdmin && <p>{text.mcp.notAdmin}</p>}
      <div className="flex flex-wrap gap-2 pt-2">
        {!own && (
          <Button size="sm" onClick={() => onAsk('show')}>
            {words.show}
          </Button>
        )}
        {own && isAdmin && (
          <>
            <Button size="sm" onClick={() => onAsk('edit')}>
              {words.edit}
            </Button>
            <Button size="sm" onClick={() => onAsk('leave')}>
              {words.leave}
            </Button>
          </>
        )}
      </div>
    </Notice>
  )
}

function Leave({ server, open, onClose }: { server: McpServer; open: boolean; onClose: () => void }) {
  const change = useMcpChange()
  const words = text.mcp.signIn
  const name = withVisibleControls(server.name)
  const leave = async () => {
    await api.changeMcpServer({ params: { name: server.name }, body: { passthrough: true } })
    toast.ok(words.left(name))
    void change.run(async () => undefined)
  }
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={words.leaveTitle(name)}
      message={words.leaveMessage}
      action={words.leave}
      onConfirm={leave}
    />
  )
}
