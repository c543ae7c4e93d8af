/** A person who tries a tool: they get what a session would, and nothing that a session would not. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointBody } from '@dorkos/shared'
import { expect, it, vi } from 'vitest'
import { mainWorkspace, offering, put, server } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const mcpServers = {
  tools: server({ tools: ['env', 'leak', 'large', 'picture', 'hello'] }, { env: { GREETING: 'hi' } }),
  asker: offering('ask'),
  crasher: offering('crash'),
  slow: offering('never', { timeout: 300 }),
  broken: server({ exit: 3 }),
  off: offering('any', { disabled: true }),
  own: offering('any', { passthrough: true }),
}
const used = useHost({ config: { mcpServers } })

const call = (name: string, body: EndpointBody<'callMcpTool'>) =>
  used.host.client.callMcpTool({ params: { name }, body })
const audit = async (action: string) => {
  const { entries } = await used.host.client.listAudit({ query: { action, limit: 100 } })
  return entries
}

it('calls it on a server that is started for it, and writes it down before and after', async () => {
  const given = await call('tools', { tool: 'env', input: { name: 'GREETING' } })
  expect(given).toEqual({
    content: [{ type: 'text', text: '{"value":"hi"}' }],
    is_error: false,
    duration_ms: expect.any(Number),
  })
  const facts = {
    tool: 'mcp__tools__env',
    workspace_id: (await mainWorkspace(used.host)).id,
    principal: 'owner',
    decided_by: { kind: 'person', principal: 'owner', from: '127.0.0.1' },
  }
  const [tried] = await audit('mcp_tool_tried')
  expect(tried).toMatchObject({ ...facts, input: { name: 'GREETING' } })
  const [finished] = await audit('mcp_tool_finished')
  expect(finished).toMatchObject({
    ...facts,
    input_hash: tried?.input_hash,
    detail: { server: 'tools', tool: 'env', is_error: false, duration_ms: given.duration_ms },
  })
  const { tools } = await used.host.client.getMcpServer({ params: { name: 'tools' } })
  expect(tools.find(({ name }) => name === 'env')?.stats).toMatchObject({ calls: 1, errors: 0 })
})

it('shows failures as an agent would see them', async () => {
  const refused = await call('tools', { tool: 'leak' })
  expect(refused).toMatchObject({ is_error: true, content: [{ type: 'text' }] })
  expect(JSON.stringify(refused.content)).toContain('refused for')
  expect(await call('crasher', { tool: 'crash' })).toMatchObject({ is_error: true })
  const late = await call('slow', { tool: 'never' })
  expect(late.is_error).toBe(true)
  expect((await audit('mcp_tool_finished')).slice(0, 3)).toMatchObject(
    ['slow', 'crasher', 'tools'].map((name) => ({ detail: { server: name, is_error: true } })),
  )
})

it('cuts what is too large, and keeps pictures whole', async () => {
  const { content, omitted_bytes } = await call('tools', { tool: 'large' })
  expect(String(content[0]?.text).length).toBe(64 * 1024)
  expect(omitted_bytes).toBe(200_000 - 64 * 1024)
  expect(await call('tools', { tool: 'picture' })).toMatchObject({
    content: [
      {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(50_000) },
      },
    ],
    structured_content: { width: 1 },
  })
})

it('declines for the person when the server asks for input', async () => {
  const { content, is_error } = await call('asker', { tool: 'ask' })
  expect(is_error).toBe(false)
  expect(JSON.parse(String(content[0]?.text)).answer).toEqual({ action: 'decline' })
  expect((await used.host.client.listApprovals({ query: { state: 'all' } })).approvals).toEqual([])
})

it('refuses what no session would get, and calls nothing', async () => {
  const { client, root } = used.host
  const before = (await audit('mcp_tool_tried')).length
  const refusal = async (name: string, body: EndpointBody<'callMcpTool'>) =>
    call(name, body).then(
      () => 'let in',
      ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
    )
  expect(await refusal('nothing', { tool: 'any' })).toMatch(/^not_found .*no MCP server nothing/)
  expect(await refusal('tools', { tool: 'unheard' })).toMatch(
    /^not_found .*no tool unheard\. It has env, hello, large/,
  )
  expect(await refusal('tools', { tool: 'env', workspace_id: 'ws_none0000' })).toMatch(/^not_found /)
  expect(await refusal('off', { tool: 'any' })).toMatch(/^conflict .*isn’t used here/)
  expect(await refusal('own', { tool: 'any' })).toMatch(/^conflict .*Claude Code runs/)
  expect(await refusal('broken', { tool: 'any' })).toMatch(/^conflict broken isn’t connected: /)

  const workspace_id = (await mainWorkspace(used.host)).id
  const toggle = (off: boolean) =>
    client.switchMcp({ body: { workspace_id, server: 'tools', tool: 'hello', off } })
  await toggle(true)
  expect(await refusal('tools', { tool: 'hello' })).toMatch(/^conflict .*turned off/)
  await toggle(false)

  const file = put(join(root, 'held.json'), { read: 'Reads.' })
  await client.addMcpServers({ body: { name: 'held', entry: server({ toolsFile: file }) } })
  expect(await refusal('held', { tool: 'read' })).toBe('let in')
  put(file, { read: 'Reads, and sends away.' })
  const { tools } = await client.reconnectMcpServer({ params: { name: 'held' }, body: {} })
  expect(await refusal('held', { tool: 'read' })).toMatch(/^conflict .*has changed.*accept it first/)
  const seen = tools.map(({ name, pin: { hash } }) => ({ name, hash }))
  await client.acceptMcpTools({ params: { name: 'held' }, body: { tools: seen } })
  expect(await refusal('held', { tool: 'read' })).toBe('let in')

  // A project's servers are nobody's to call before its workspace is trusted.
  const path = join(root, 'foreign')
  put(join(path, '.mcp.json'), { mcpServers: { theirs: offering('any') } })
  const { id } = await client.createWorkspace({ body: { path } })
  expect(await refusal('theirs', { tool: 'any', workspace_id: id })).toMatch(/^conflict .*isn’t used here/)
  expect((await audit('mcp_tool_tried')).length).toBe(before + 2)
})

it('calls the owner’s own tools too', async () => {
  const folder = join(used.host.home, 'tools')
  mkdirSync(folder, { recursive: true })
  const text = `
import { tool } from 'claude-code-agent'
import { z } from 'zod'
export const made = tool('greet', 'Greets', { who: z.string() }, async ({ who }) => ({
  content: [{ type: 'text', text: 'Hello ' + who }],
}))
`
  writeFileSync(join(folder, 'greet.mjs'), text)
  // The configuration's own server of that name would go first.
  await used.host.client.removeMcpServer({ params: { name: 'tools' } })
  await vi.waitFor(
    async () => {
      const { folders } = await used.host.client.listToolModules({ query: {} })
      expect(folders.flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual(['greet'])
    },
    { timeout: 50_000 },
  )
  const given = await call('tools', { tool: 'greet', input: { who: 'Ada' } })
  expect(given).toMatchObject({ content: [{ type: 'text', text: 'Hello Ada' }], is_error: false })
  expect(await call('tools', { tool: 'greet', input: {} })).toMatchObject({ is_error: true })
})
