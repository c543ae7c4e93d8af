/** `passthrough: true` leaves a server to the CLI: it starts it by itself for each session, and says how it does. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { lastOffer, put, server, untilStatus } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost()

it('is offered and called, with the status that the CLI gives', async () => {
  const { host } = used
  const starts = join(host.root, 'starts')
  put(join(host.home, 'config.jsonc'), {
    mcpServers: {
      own: server({ starts }, { passthrough: true }),
      broken: server({ exit: 1 }, { passthrough: true }),
    },
  })
  await expect.poll(async () => (await host.client.listMcpServers()).servers.length).toBe(2)
  const session = await used.start([toolUse('mcp__dorkos__ping'), toolUse('mcp__own__hello'), 'done'], {
    permission_mode: 'bypassPermissions',
  })
  await untilStatus(session, 'own', 'connected')
  await untilStatus(session, 'broken', 'failed')
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  expect(session.result(2)).toMatchObject({ tool: 'hello' })
  expect(lastOffer(host, session)).toEqual(['mcp__own__hello'])
  expect(readFileSync(starts, 'utf8').trim().split('\n')).toHaveLength(1)

  const { servers } = await host.client.getSessionMcp({ params: session.params })
  expect(servers).toMatchObject([
    { name: 'own', use: 'active', entry: { passthrough: true } },
    { name: 'broken', use: 'active', entry: { passthrough: true } },
  ])
  // Nobody but the CLI starts it.
  const test = host.client.testMcpServer({ params: { name: 'own' }, body: {} })
  await expect(test).rejects.toMatchObject({ status: 409 })
  expect(readFileSync(starts, 'utf8').trim().split('\n')).toHaveLength(1)
})

it('is not for a project to ask for', async () => {
  const { host } = used
  const starts = join(host.root, 'project-starts')
  put(join(host.cwd, '.mcp.json'), { mcpServers: { theirs: server({ starts }, { passthrough: true }) } })
  const session = await used.start(['ok'])
  await session.endOf(1)
  const { servers } = await host.client.getSessionMcp({ params: session.params })
  const theirs = servers.find(({ name }) => name === 'theirs')
  expect(theirs).toMatchObject({ use: 'filtered', reason: 'trust' })
  expect(theirs?.entry).not.toHaveProperty('passthrough')
  expect(existsSync(starts)).toBe(false)
})
