/** Sessions share a server's one process where it allows that, and `sharing: session` gives each its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { server } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost()

it.each([
  ['auto', 1],
  // And one that is asked what it offers.
  ['session', 4],
] as const)('sharing %s: %i for three sessions', async (sharing, processes) => {
  const { host } = used
  const starts = join(host.root, `starts-${sharing}`)
  await host.client.addMcpServers({ body: { name: sharing, entry: server({ starts }, { sharing }) } })
  const sessions = []
  for (let n = 0; n < 3; n++)
    sessions.push(await used.start(['hello'], { permission_mode: 'bypassPermissions' }))
  for (const session of sessions) {
    await session.watch.next('mcp_status', (event) =>
      event.servers.some(({ name, status }) => name === sharing && status === 'connected'),
    )
    await session.endOf(1)
    await session.say(used.prompts.on(`call ${session.id}`, toolUse(`mcp__${sharing}__hello`), 'done'))
  }
  const pids = sessions.map((session) => {
    const last = session.watch.of('tool_result').at(-1)
    return (JSON.parse(String(last?.content[0]?.text)) as { pid: number }).pid
  })
  expect(new Set(pids).size).toBe(sharing === 'auto' ? 1 : 3)
  expect(readFileSync(starts, 'utf8').trim().split('\n')).toHaveLength(processes)
  const { server: shown } = await host.client.getMcpServer({ params: { name: sharing } })
  expect(shown.health).toMatchObject({ state: 'connected', sessions: 3 })
  expect(shown.health?.pids).toHaveLength(processes)
  await host.client.removeMcpServer({ params: { name: sharing } })
})
