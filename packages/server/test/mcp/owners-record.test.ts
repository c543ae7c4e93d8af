/** What the owner's own Claude Code knows of its servers: a session reads it, and leaves it as it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import {
  lastOffer,
  mainWorkspace,
  offering,
  put,
  server,
  trust,
  untilStatus,
} from '../support/mcp-servers.ts'
import { type Host, startHost } from '../support/start-host.ts'

let host: Host
let main: string
beforeAll(async () => {
  host = await startHost(() => 'ok')
  main = (await mainWorkspace(host)).id
})
afterAll(() => host?.close())

const claudeFile = () => join(host.root, '.claude.json')
const inClaudeFile = () => JSON.parse(readFileSync(claudeFile(), 'utf8')) as Record<string, unknown>

async function uses(): Promise<Record<string, string>> {
  const { servers } = await host.client.listMcpServers({ query: { workspace_id: main } })
  return Object.fromEntries(servers.map(({ name, use, reason }) => [name, reason ?? use]))
}

/** All that the session's last request said. */
const said = ({ id }: Conversation) =>
  JSON.stringify(
    host.model.requests.findLast(({ sessionId, kind }) => sessionId === id && kind === 'main')?.body,
  )

it('is not touched by a session, nor when a handshake is made anew', async () => {
  const gate = join(host.root, 'gate')
  const starts = join(host.root, 'starts')
  const toolsFile = put(join(host.root, 'late.json'), { '#instructions': 'KNOCK FIRST', look: 'Looks.' })
  put(join(host.cwd, '.mcp.json'), {
    mcpServers: { late: server({ gate, starts, toolsFile }), notes: offering('read') },
  })
  put(claudeFile(), { mcpServers: { mine: offering('hello') } })
  const own = server({ gate, toolsFile, starts: `${starts}-own` }, { sharing: 'session' })
  await host.client.addMcpServers({ body: { name: 'own', entry: own } })
  await trust(host, main)
  const session = await Conversation.open(host, { workspace_id: main, permission_mode: 'bypassPermissions' })
  await session.say('one')
  expect(said(session)).not.toContain('KNOCK')
  writeFileSync(gate, '')
  await untilStatus(session, 'late', 'connected')
  await untilStatus(session, 'own', 'connected')
  // The CLI takes what a server now says of itself into the turn after the handshake, and makes each of the two when it can.
  await vi.waitFor(
    async () => {
      await session.say('and now?')
      expect(said(session)).toContain('## late\\nKNOCK FIRST')
      expect(said(session)).toContain('## own\\nKNOCK FIRST')
    },
    // At most one handshake of a server in ten seconds, and between turns alone: they need some time there.
    { timeout: 60_000, interval: 1000 },
  )
  expect(lastOffer(host, session)).toEqual([
    'mcp__late__look',
    'mcp__mine__hello',
    'mcp__notes__read',
    'mcp__own__look',
  ])
  // Its process is the same, and with it what it keeps in mind.
  for (const file of [starts, `${starts}-own`])
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1)

  await host.client.changeSession({
    params: session.params,
    body: { title: 'Another', permission_mode: 'plan' },
  })
  await session.say('four')
  await session.close()
  expect(inClaudeFile()).toMatchObject({ mcpServers: { mine: offering('hello') } })
  expect(inClaudeFile()).not.toHaveProperty('projects')
  const active = { late: 'active', mine: 'active', notes: 'active', own: 'active' }
  expect(await uses()).toEqual(active)

  // As the CLI begins each record.
  const record = { allowedTools: [], mcpServers: {}, enabledMcpjsonServers: [], disabledMcpjsonServers: [] }
  put(claudeFile(), { ...inClaudeFile(), projects: { [host.cwd]: record } })
  const again = await Conversation.open(host, { workspace_id: main })
  await again.say('five')
  expect(lastOffer(host, again)).toContain('mcp__notes__read')
  await again.close()
  expect(await uses()).toEqual(active)
  expect(inClaudeFile().projects).toEqual({ [host.cwd]: record })
}, 180_000)
