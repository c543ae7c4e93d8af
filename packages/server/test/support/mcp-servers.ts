/** MCP servers for tests, the files that name them, and what the model is offered of them. */
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModelRequest } from '@dorkos/testkit'
import type { Conversation } from './conversation.ts'
import type { Host } from './start-host.ts'

const script = fileURLToPath(new URL('./scripted-mcp-server.mjs', import.meta.url))

export interface ServerOptions {
  tools?: string[]
  toolsFile?: string
  hints?: Record<string, boolean>
  schemaChars?: number
  gate?: string
  hang?: true
  exit?: number
  stderr?: string[]
  flood?: true
  starts?: string
  result?: string
}

/** An entry for a server of this kind; `more` are further keys of the entry. */
export function server(options: ServerOptions = {}, more: Record<string, unknown> = {}) {
  return { command: process.execPath, args: [script, JSON.stringify(options)], ...more }
}

/** One that lies where a package does that is known to keep nothing: sessions share it unless somebody says otherwise. */
export function sharedServer({ root }: Pick<Host, 'root'>, options: ServerOptions = {}) {
  const folder = join(root, 'node_modules', '@modelcontextprotocol', 'server-filesystem')
  mkdirSync(folder, { recursive: true })
  copyFileSync(script, join(folder, 'index.mjs'))
  return { command: process.execPath, args: [join(folder, 'index.mjs'), JSON.stringify(options)] }
}

/** One whose only tool is named like this. */
export const offering = (tool: string, more: Record<string, unknown> = {}) => server({ tools: [tool] }, more)

/** Written in one go, as a careful editor does: nobody reads half of it. */
export function put(file: string, content: unknown): string {
  mkdirSync(dirname(file), { recursive: true })
  const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 2)
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
  return file
}

/** A plugin of the owner's that is installed and switched on. Returns its folder. */
export function installPlugin(
  claudeFolder: string,
  name: string,
  mcpServers: Record<string, unknown>,
): string {
  const root = join(claudeFolder, 'plugins', 'cache', 'here', name)
  const installed = { version: 2, plugins: { [`${name}@here`]: [{ scope: 'user', installPath: root }] } }
  put(join(claudeFolder, 'plugins', 'installed_plugins.json'), installed)
  put(join(root, '.claude-plugin', 'plugin.json'), { name })
  put(join(root, '.mcp.json'), { mcpServers })
  return root
}

export async function mainWorkspace({ client }: Host) {
  const main = (await client.listWorkspaces()).workspaces.find((workspace) => workspace.main)
  if (!main) throw new Error('there is no main workspace')
  return main
}

/** Trusts what is there now. */
export async function trust({ client }: Host, workspaceId: string): Promise<void> {
  const params = { id: workspaceId }
  const { digest } = await client.getWorkspaceTrust({ params })
  await client.giveWorkspaceTrust({ params, body: { digest } })
  const { plugins } = await client.listWorkspaceHooks({ params })
  for (const plugin of plugins)
    if (plugin.digest !== undefined)
      await client.allowWorkspaceHook({ params, body: { digest: plugin.digest, grant: 'run' } })
}

/** Starts them ahead of a session, so that it has them from its first request on. */
export async function connect({ client }: Host, names: string[], workspaceId?: string): Promise<void> {
  const body = workspaceId === undefined ? {} : { workspace_id: workspaceId }
  await Promise.all(names.map((name) => client.testMcpServer({ params: { name }, body })))
}

/** Tools of MCP servers, but for the injected ones. */
export function mcpTools(request: ModelRequest | undefined): string[] {
  const names = request?.toolNames.filter(
    (name) => name.startsWith('mcp__') && !name.startsWith('mcp__dorkos__'),
  )
  return names?.toSorted() ?? []
}

/** What the session's last request to the model offered. */
export function lastOffer({ model }: Host, { id }: Conversation): string[] {
  return mcpTools(model.requests.findLast(({ sessionId, kind }) => sessionId === id && kind === 'main'))
}

/** The newest word on the session's servers, once it says this of one. `undefined` stands for a server that the session does not have. */
export async function untilStatus(
  { watch }: Conversation,
  name: string,
  status: string | undefined,
): Promise<void> {
  await watch.next('mcp_status', (event) => {
    if (watch.of('mcp_status').at(-1) !== event) return false
    return event.servers.find((one) => one.name === name)?.status === status
  })
}
