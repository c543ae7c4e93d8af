/** The owner of a host looks at the hooks and plugins of the main workspace, and allows them. */
import type { HookGrant, WorkspaceHooks } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import type { Host } from './start-host.ts'

type Server = Pick<Host, 'client'>

export async function mainWorkspace({ client }: Server): Promise<string> {
  const { workspaces } = await client.listWorkspaces()
  return workspaces.find((workspace) => workspace.main)?.id ?? ''
}

export async function hooksView(host: Server): Promise<WorkspaceHooks> {
  return host.client.listWorkspaceHooks({ params: { id: await mainWorkspace(host) } })
}

export async function consent(host: Server, digest: string, grant: HookGrant = 'run'): Promise<void> {
  const params = { id: await mainWorkspace(host) }
  await host.client.allowWorkspaceHook({ params, body: { digest, grant } })
}

/** Allows every hook and plugin that is there; the grant is for hooks that can allow tool calls. */
export async function allowAll(host: Server, grant: HookGrant = 'run'): Promise<void> {
  const { plugins } = await hooksView(host)
  for (const { digest } of plugins) if (digest) await consent(host, digest)
  for (const { digest, can_allow } of (await hooksView(host)).hooks)
    if (digest) await consent(host, digest, can_allow ? grant : 'run')
}

/** A hook of settings that runs a command. */
export function commandHook(command: string, matcher = ''): object {
  return { matcher, hooks: [{ type: 'command', command }] }
}

/** What a hook's command prints to say this. */
export function says(own: object): string {
  return `echo '${JSON.stringify({ hookSpecificOutput: own })}'`
}

export const bash = (command: string) => toolUse('Bash', { command, description: 'a test' })

/** All that the model read in a session. */
export function toldModel({ model }: Pick<Host, 'model'>, id: string): string {
  return JSON.stringify(model.requests.filter(({ sessionId }) => sessionId === id).map(({ body }) => body))
}
