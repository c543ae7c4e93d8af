import type { McpServer } from '@dorkos/shared'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Switch } from '../ui/switch.tsx'
import { useMcpChange } from './mcp-queries.ts'
import { switchKind } from './server-state.ts'

/** On or off in a workspace. Where DorkOS's configuration disables it, it is enabled there. */
export function ServerSwitch({
  server,
  workspaceId,
}: {
  server: McpServer
  workspaceId: string | undefined
}) {
  const isAdmin = useCan('admin')
  const { busy, run } = useMcpChange()
  const kind = switchKind(server)
  // What the state says is enough for who may not change it.
  if (kind === 'none' || !isAdmin || (kind === 'workspace' && workspaceId === undefined)) return null
  const change = (on: boolean) =>
    run(async () => {
      if (kind === 'entry')
        await api.changeMcpServer({ params: { name: server.name }, body: { disabled: !on } })
      else if (workspaceId !== undefined)
        await api.switchMcp({ body: { workspace_id: workspaceId, server: server.name, off: !on } })
    })
  return (
    <Switch
      label={text.mcp.switches.server(withVisibleControls(server.name))}
      checked={server.use === 'active'}
      disabled={busy}
      onChange={(on) => void change(on)}
    />
  )
}
