/** The values of an entry's variables and headers are revealed to nobody: not by the API, not by an event, an error or the log. */

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mainWorkspace, put, server, trust, untilStatus } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const token = 'hunter2-in-the-environment'
const header = 'correct-horse-battery'
const query = 'staple-in-the-address'
const expanded = 'from-a-variable-of-the-server'
const projects = 'of-the-project-itself'
const database = 'postgres://ada:pw@db.example/x'
const inPath = 'NDQyMzQ5OjEyMzQ1Njc4'
const secrets = [token, header, query, expanded, projects, database, inPath]

const used = useHost({
  config: { log: { level: 'debug' }, mcp: { expandEnv: ['REFERRED'] } },
  env: { REFERRED: expanded },
})

/** A remote server that repeats what it was sent. */
let remote: Server
let url: string
beforeAll(async () => {
  remote = createServer((request, response) => {
    response.statusCode = 500
    response.end(`no: ${request.url} ${JSON.stringify(request.headers)}`)
  })
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve))
  const address = remote.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/s/${inPath}/mcp?api_key=${query}`
})
afterAll(() => remote?.close())

it('whatever is asked for, and whatever goes wrong', async () => {
  const { host } = used
  const { client } = host
  const said: unknown[] = []
  const keep = async (answer: Promise<unknown>) =>
    said.push(await answer.catch((error: unknown) => describe(error)))
  const crashing = server(
    { exit: 2, stderr: ['cannot sign in with $TOKEN at $DATABASE_URL'] },
    { env: { TOKEN: token, DATABASE_URL: database } },
  )
  await keep(client.addMcpServers({ body: { name: 'leaky', entry: leaky({ TOKEN: token }) } }))
  await keep(client.addMcpServers({ body: { name: 'crashing', entry: crashing } }))
  await keep(client.addMcpServers({ body: { name: 'referring', entry: leaky({ TOKEN: `\${REFERRED}` }) } }))
  const entry = { type: 'http' as const, url, headers: { Authorization: `Bearer ${header}` } }
  await keep(client.addMcpServers({ body: { name: 'remote', entry } }))
  await keep(client.addMcpServers({ body: { name: 'leaky', entry: leaky({ TOKEN: token }) } }))
  await keep(
    client.changeMcpServer({
      params: { name: 'leaky' },
      body: { entry: leaky({ TOKEN: token, MORE: '1' }) },
    }),
  )
  put(join(host.cwd, '.mcp.json'), { mcpServers: { theirs: leaky({ TOKEN: projects }) } })
  const { id } = await mainWorkspace(host)
  await keep(client.getWorkspaceTrust({ params: { id } }))
  await trust(host, id)
  for (const name of ['leaky', 'crashing', 'referring', 'remote', 'theirs'])
    await keep(client.testMcpServer({ params: { name }, body: {} }))

  const leaks = ['leaky', 'referring', 'theirs'].map((name) => toolUse(`mcp__${name}__leak`))
  const session = await used.start([...leaks, 'done'], { permission_mode: 'bypassPermissions' })
  await untilStatus(session, 'leaky', 'connected')
  await session.endOf(1)
  expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([true, true, true])
  await keep(client.reconnectMcpServer({ params: { name: 'crashing' }, body: {} }))
  put(join(host.cwd, '.mcp.json'), { mcpServers: { theirs: leaky({ TOKEN: `${projects}-changed` }) } })
  await expect.poll(async () => (await client.getWorkspaceTrust({ params: { id } })).state).toBe('changed')
  await keep(client.getWorkspaceTrust({ params: { id } }))

  for (const name of ['leaky', 'crashing', 'referring', 'remote', 'theirs'])
    await keep(client.getMcpServer({ params: { name } }))
  await keep(client.listMcpServers())
  await keep(client.getSessionMcp({ params: session.params }))
  await keep(client.exportMcpServers())
  await keep(client.getConfig())
  await keep(client.listAudit({ query: { limit: 1000 } }))
  await keep(client.listMcpImports())
  said.push(session.watch.events)

  const all = JSON.stringify(said)
  // The test looks at the right things: these stand beside the values.
  for (const name of ['TOKEN', 'Authorization', 'api_key', 'cannot sign in with', 'refused for'])
    expect(all).toContain(name)
  const log = readFileSync(host.server.logFile, 'utf8')
  for (const secret of secrets) {
    expect(all).not.toContain(secret)
    expect(log).not.toContain(secret)
  }
})

const leaky = (env: Record<string, string>) => server({ tools: ['leak'] }, { env })

function describe(error: unknown): unknown {
  return error instanceof Error ? { ...error, name: error.name, message: error.message } : error
}
