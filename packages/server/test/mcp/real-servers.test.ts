/** Servers that nobody here wrote, bridged and used by the real CLI; and one process for ten sessions. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { connect, lastOffer } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost({ config: { sessions: { maxLive: 12 } } })
const resolve = createRequire(import.meta.url).resolve
const program = (name: string) =>
  join(dirname(resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist', 'index.js')
const names = ['everything', 'filesystem', 'memory']

it('everything, filesystem and memory do what their tools say', { timeout: 120_000 }, async () => {
  const { host } = used
  writeFileSync(join(host.cwd, 'note.txt'), 'written before')
  const args = { everything: ['stdio'], filesystem: [host.cwd], memory: [] }
  for (const [name, more] of Object.entries(args))
    await host.client.addMcpServers({
      body: {
        name,
        entry: {
          command: process.execPath,
          args: [program(`server-${name}`), ...more],
          env: { MEMORY_FILE_PATH: join(host.root, 'memory.json') },
        },
      },
    })
  await connect(host, names)
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes proofs'] }]
  const session = await used.start(
    [
      toolUse('mcp__everything__echo', { message: 'to everything' }),
      toolUse('mcp__everything__get-tiny-image', {}),
      toolUse('mcp__filesystem__read_text_file', { path: join(host.cwd, 'note.txt') }),
      toolUse('mcp__memory__create_entities', { entities }),
      toolUse('mcp__memory__search_nodes', { query: 'proofs' }),
      'done',
    ],
    { permission_mode: 'bypassPermissions' },
  )
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  const results = session.watch.of('tool_result')
  expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false, false, false])
  const said = results.map(({ content }) => JSON.stringify(content))
  expect(said[0]).toContain('to everything')
  expect(said[1]).toContain('image')
  expect(said[2]).toContain('written before')
  expect(said[4]).toContain('likes proofs')
  for (const name of names)
    expect(lastOffer(host, session).some((tool) => tool.startsWith(`mcp__${name}__`))).toBe(true)
  // The picture reached the model as one, not as text.
  const toModel = JSON.stringify(
    host.model.requests.findLast(({ sessionId }) => sessionId === session.id)?.body,
  )
  expect(toModel).toContain('"media_type":"image/png"')
  const { tools } = await host.client.getMcpServer({ params: { name: 'memory' } })
  const search = tools.find(({ name }) => name === 'search_nodes')
  expect(search).toMatchObject({ stats: { calls: 1, errors: 0 }, pin: { status: 'pinned', held: false } })
})

it('ten sessions make one process of each', { timeout: 180_000 }, async () => {
  const { host } = used
  const ids: string[] = []
  for (let number = 0; number < 10; number++)
    ids.push((await host.client.createSession({ body: {} })).session.id)
  await Promise.all(ids.map((id) => host.client.startSession({ params: { id } })))
  for (const name of names) {
    const { server } = await host.client.getMcpServer({ params: { name } })
    expect(server.health).toMatchObject({ state: 'connected', pids: [expect.any(Number)] })
    expect(server.health?.sessions).toBeGreaterThanOrEqual(10)
  }
})
