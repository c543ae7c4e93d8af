/** One name in several files: the strongest source gives the server, the next one steps in when it goes, and `dorkos` is nobody's. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import { connect, lastOffer, mainWorkspace, offering, put, trust } from '../support/mcp-servers.ts'
import { type Host, startHost } from '../support/start-host.ts'

let host: Host
beforeAll(async () => {
  host = await startHost(() => 'ok')
})
afterAll(() => host?.close())

const scopes = ['dorkos', 'local', 'project', 'user', 'settings'] as const
type Scope = (typeof scopes)[number]

/** Writes every file, with a server of this name in those scopes. */
async function write(name: string, present: readonly Scope[]): Promise<void> {
  const servers = (scope: Scope) => (present.includes(scope) ? { [name]: offering(`from_${scope}`) } : {})
  put(join(host.home, 'config.jsonc'), { mcpServers: servers('dorkos') })
  const file = join(host.root, '.claude.json')
  const { projects, ...rest } = readJson(file)
  put(file, {
    ...rest,
    mcpServers: servers('user'),
    projects: { ...projects, [host.cwd]: { ...projects?.[host.cwd], mcpServers: servers('local') } },
  })
  put(join(host.root, '.claude', 'settings.json'), { mcpServers: servers('settings') })
  put(join(host.cwd, '.mcp.json'), { mcpServers: servers('project') })
  await trust(host, (await mainWorkspace(host)).id)
}

function readJson(file: string) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

it('DorkOS’s configuration before local, project, user and settings.json, each shown with what overrides it', async () => {
  const { client } = host
  for (let weakest = 0; weakest < scopes.length; weakest++) {
    const present = scopes.slice(weakest)
    await write('same', present)
    await expect
      .poll(async () => {
        const { servers } = await client.listMcpServers()
        return servers.map(({ use, source, overridden_by }) => [use, source.scope, overridden_by?.scope])
      })
      .toEqual([
        ['active', present[0], undefined],
        ...present.slice(1).map((scope) => ['overridden', scope, present[0]]),
      ])
    await connect(host, ['same'])
    const session = await Conversation.open(host, { content: 'hello' })
    await session.endOf(1)
    expect(lastOffer(host, session)).toEqual([`mcp__same__from_${present[0]}`])
    await session.close()
  }
})

it('refuses the name dorkos everywhere, and offers its own tools under it', async () => {
  const { client } = host
  for (const name of ['dorkos', 'DorkOS']) {
    await write(name, scopes)
    await expect
      .poll(async () =>
        (await client.listMcpServers()).faults.map((fault) => [fault.scope, fault.name]).toSorted(),
      )
      .toEqual(scopes.map((scope) => [scope, name]).toSorted())
    const { servers, faults } = await client.listMcpServers()
    expect(servers).toEqual([])
    for (const { message, line } of faults) {
      expect(message).toContain('kept for the tools of DorkOS itself')
      expect(line).toBeGreaterThan(0)
    }
    await expect(client.addMcpServers({ body: { name, entry: offering('mine') } })).rejects.toMatchObject({
      status: 400,
    })
    const session = await Conversation.open(host, { content: 'hello' })
    await session.endOf(1)
    const request = host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
    expect(request?.toolNames).toContain('mcp__dorkos__ping')
    expect(request?.toolNames.filter((tool) => tool.includes('from_'))).toEqual([])
    await session.close()
  }
})
