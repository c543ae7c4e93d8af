import type { McpServer } from '@dorkos/shared'
import { Ban, CircleCheck, MoreHorizontal, Pencil, PlugZap, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toast.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { type McpChange, useMcpChange, workspaceQuery } from './mcp-queries.ts'
import { isOwnEntry, isRunHere, shownState } from './server-state.ts'

interface ServerActionsProps {
  server: McpServer
  workspaceId: string | undefined
  onRemoved?: () => void
}

/** Reconnect and test for every server; edit, disable and remove for those of DorkOS's own configuration. */
export function ServerActions({ server, workspaceId, onRemoved }: ServerActionsProps) {
  const isAdmin = useCan('admin')
  const change = useMcpChange()
  const [asked, setAsked] = useState<'edit' | 'remove'>()
  const words = text.mcp.actions
  const name = withVisibleControls(server.name)
  const own = isOwnEntry(server) && server.use !== 'overridden'
  const runs = isRunHere(server)
  if (!isAdmin || (!own && !runs)) return null
  const remove = async () => {
    await api.removeMcpServer({ params: { name: server.name } })
    toast.ok(words.removed(name))
    onRemoved?.()
    void change.run(async () => undefined)
  }
  return (
    <>
      {runs && <StartButtons server={server} workspaceId={workspaceId} change={change} />}
      {own && (
        <Menu trigger={<IconButton label={text.mcp.more(name)} icon={MoreHorizontal} />}>
          <MenuItem icon={Pencil} onSelect={() => setAsked('edit')}>
            {words.edit}
          </MenuItem>
          <DisableItem server={server} change={change} />
          <MenuSeparator />
          <MenuItem icon={Trash2} danger onSelect={() => setAsked('remove')}>
            {words.remove}
          </MenuItem>
        </Menu>
      )}
      {asked === 'edit' && <EditDialog server={server} onClose={() => setAsked(undefined)} />}
      <Confirm
        open={asked === 'remove'}
        onClose={() => setAsked(undefined)}
        title={words.removeTitle(name)}
        message={words.removeMessage(name)}
        action={words.remove}
        danger
        onConfirm={remove}
      />
    </>
  )
}

/** A server that nobody has started is tested; any other is started anew. Either way its answer is shown. */
function StartButtons({ server, workspaceId, change }: ServerActionsProps & { change: McpChange }) {
  const words = text.mcp.actions
  const call = { params: { name: server.name }, body: workspaceQuery(workspaceId) }
  const state = shownState(server)
  const isFresh = state === 'not_started' || state === 'stopped'
  const showHealth = (health: McpServer['health']) => {
    const name = withVisibleControls(server.name)
    if (health?.state === 'connected') toast.ok(words.works(name, health.tools))
    else toast.error(words.fails(name, withVisibleControls(health?.error ?? '')))
  }
  const start = () =>
    void change.run(async () => {
      const details = await (isFresh ? api.testMcpServer(call) : api.reconnectMcpServer(call))
      showHealth(details.server.health)
    })
  if (change.busy)
    return (
      <span role="status" className="inline-flex size-8 items-center justify-center text-soft max-sm:size-10">
        <Spinner label={words.testing} />
      </span>
    )
  return (
    <IconButton
      label={isFresh ? words.test : words.reconnect}
      icon={isFresh ? PlugZap : RefreshCw}
      onClick={start}
    />
  )
}

function DisableItem({ server, change }: { server: McpServer; change: McpChange }) {
  const words = text.mcp.actions
  const disabled = server.entry.disabled === true
  const toggle = () =>
    void change.run(() =>
      api.changeMcpServer({ params: { name: server.name }, body: { disabled: !disabled } }),
    )
  return (
    <MenuItem icon={disabled ? CircleCheck : Ban} hint={disabled ? '' : words.disableHint} onSelect={toggle}>
      {disabled ? words.enable : words.disable}
    </MenuItem>
  )
}
