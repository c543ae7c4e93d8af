/** MCP tools that the model looks up before it calls them, and the setting for it. */
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import { connect, lastOffer, type ServerOptions, server } from '../support/mcp-servers.ts'
import { Prompts } from '../support/prompts.ts'
import { startHost } from '../support/start-host.ts'

const tool = 'mcp__tools__one'

async function sessionWith(
  toolSearch: 'on' | 'off' | undefined,
  options: ServerOptions = { tools: ['one'] },
) {
  const prompts = new Prompts()
  const mcpServers = { tools: server(options) }
  const host = await startHost(prompts.script, {
    config: { mcpServers, ...(toolSearch && { mcp: { toolSearch } }) },
  })
  await connect(host, ['tools'])
  const session = await Conversation.open(host, { permission_mode: 'bypassPermissions' })
  const offered = () => host.model.requests.at(-1)?.body.tools?.map(({ name }) => name) ?? []
  return {
    ...{ prompts, host, session, offered },
    async [Symbol.asyncDispose]() {
      await session.close()
      await host.close()
    },
  }
}

/** About 125,000 tokens: more than a tenth of what the model takes, where `auto` begins to look them up (2.1.325). */
const many = {
  tools: ['one', ...Array.from({ length: 99 }, (_, index) => `other_${index}`)],
  schemaChars: 5000,
}

it.each([
  ['on', 'on', undefined],
  ['auto, with more than fits', undefined, many],
] as const)('%s: the model finds a tool by its name, and calls it', async (_, setting, options) => {
  await using used = await sessionWith(setting, options && { ...options, tools: [...options.tools] })
  const { prompts, host, session, offered } = used
  const look = toolUse('ToolSearch', { query: `select:${tool}`, max_results: 1 })
  // What the CLI says once it has loaded one.
  prompts.on('Tool loaded.', toolUse(tool), 'done')
  await session.say(prompts.on('call it', look))
  const [first] = host.model.requests
  expect(first?.body.tools?.map(({ name }) => name)).toContain('ToolSearch')
  expect(first?.body.tools?.filter(({ name }) => name.startsWith('mcp__tools__'))).toEqual([])
  expect(offered().filter((name) => name.startsWith('mcp__tools__'))).toEqual([tool])
  expect(session.watch.of('tool_call_end').map(({ name }) => name)).toEqual(['ToolSearch', tool])
  expect(session.watch.of('tool_result').at(-1)).toMatchObject({ is_error: false })
  const { entries } = await host.client.listAudit({ query: { session_id: session.id, limit: 50 } })
  expect(entries.map((entry) => entry.tool)).toContain(tool)
})

it.each(['off', undefined] as const)('%s: a few tools are in every request', async (setting) => {
  await using used = await sessionWith(setting)
  await used.session.say(used.prompts.on('hello', 'hi'))
  expect(lastOffer(used.host, used.session)).toEqual([tool])
  expect(used.offered()).not.toContain('ToolSearch')
})
