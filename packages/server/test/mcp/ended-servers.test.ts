/** A server that was taken out, or whose workspace is not trusted any more, ends at once and not when it has been idle long enough. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect, mainWorkspace, put, server, trust } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost()

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function pidOf(name: string): Promise<number> {
  await connect(used.host, [name])
  const { server: shown } = await used.host.client.getMcpServer({ params: { name } })
  const [pid] = shown.health?.pids ?? []
  if (pid === undefined) throw new Error(`${name} does not run`)
  return pid
}

it('taken out of the configuration', async () => {
  const { client } = used.host
  await client.addMcpServers({ body: { name: 'stays', entry: server() } })
  await client.addMcpServers({ body: { name: 'goes', entry: server({ tools: ['other'] }) } })
  const [stays, goes] = [await pidOf('stays'), await pidOf('goes')]
  await client.removeMcpServer({ params: { name: 'goes' } })
  await expect.poll(() => isAlive(goes), { timeout: 50_000 }).toBe(false)
  expect(isAlive(stays)).toBe(true)
})

it('not trusted any more', async () => {
  const { host } = used
  const { id } = await mainWorkspace(host)
  put(join(host.cwd, '.mcp.json'), { mcpServers: { theirs: server({ tools: ['third'] }) } })
  await trust(host, id)
  const pid = await pidOf('theirs')
  await host.client.takeWorkspaceTrust({ params: { id } })
  await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false)
})
