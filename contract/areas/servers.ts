/** MCP servers in the host's process. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { namedTool, serverInfo, textResult, toolServer } from '../host-answers.ts'
import type { Rig } from '../rig.ts'

const router = ['packages/claude-code-agent/src/protocol/mcp-router.ts']
const connection = ['packages/claude-code-agent/src/tools/tool-server-connection.ts']
const names = ['packages/claude-code-agent/src/tools/server-names.ts']
const sessionServers = ['packages/server/src/core/mcp/session-servers.ts']

const methods = (cli: Cli): string[] => cli.requests('mcp_message').map((request) => request.message.method)
const offered = (rig: Rig): string[] =>
  (rig.asked.at(-1)?.toolNames ?? []).filter((name) => name.startsWith('mcp__')).sort()

/** Tells the CLI that the list of tools is another one, and waits until it has asked for it. */
async function listChanged(cli: Cli): Promise<void> {
  const lists = (): number => methods(cli).filter((method) => method === 'tools/list').length
  const before = lists()
  const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
  await cli.ask('mcp_message', { server_name: 's', message })
  await cli.untilTrue(() => lists() > before, 'tools/list after a change')
}

export const serverCases: ContractCase[] = [
  {
    id: 'servers/handshake',
    title:
      'A server of `initialize.sdkMcpServers` is asked by the MCP handshake, without any capability of the client',
    reliedOnBy: connection,
    expected: {
      methods: ['initialize', 'notifications/initialized', 'tools/list'],
      capabilities: {},
      version: '2025-11-25',
      offered: ['mcp__s__t'],
    },
    async observe(rig) {
      const cli = await rig.start({ servers: { s: toolServer(() => [namedTool('t')]) } })
      await cli.turn('go')
      const { params } = cli.requests('mcp_message')[0].message
      return {
        methods: methods(cli),
        capabilities: params.capabilities,
        version: params.protocolVersion,
        offered: offered(rig),
      }
    },
  },
  {
    id: 'servers/manifest',
    title: 'A manifest in `initialize` takes the place of the handshake',
    reliedOnBy: ['packages/claude-code-agent/src/launch/initialize.ts', ...connection],
    expected: { methods: ['tools/call'], offered: ['mcp__s__t'] },
    async observe(rig) {
      const toolsListResult = { tools: [namedTool('t')] }
      const manifests = { s: { initializeResult: serverInfo, toolsListResult } }
      const cli = await rig.start({
        servers: { s: toolServer(() => [namedTool('t')]) },
        initialize: { sdkMcpServerManifests: manifests },
      })
      rig.script(toolUse('mcp__s__t'))
      await cli.turn('go')
      return { methods: methods(cli), offered: offered(rig) }
    },
  },
  {
    id: 'servers/call',
    title: 'A call comes as `tools/call` with the model’s own id of it, and its result goes to the model',
    reliedOnBy: ['packages/claude-code-agent/src/tools/tool-use-id.ts', ...router],
    expected: { sameId: true, arguments: { a: 1 }, toModel: 'forty-two' },
    async observe(rig) {
      let params: Frame
      const call = (given: Frame): Frame => {
        params = given
        return textResult('forty-two')
      }
      const cli = await rig.start({ servers: { s: toolServer(() => [namedTool('t')], call) } })
      rig.script(toolUse('mcp__s__t', { a: 1 }))
      await cli.turn('go')
      const result = rig.asked.at(-1)?.toolResults[0]
      return {
        sameId: params?._meta['claudecode/toolUseId'] === result?.toolUseId,
        arguments: params?.arguments,
        toModel: result?.text,
      }
    },
  },
  {
    id: 'servers/concurrent',
    title: 'Calls of tools that only read run at the same time: a host must not answer one after the other',
    reliedOnBy: ['packages/claude-code-agent/src/protocol/control-channel.ts'],
    expected: { atOnce: 2 },
    async observe(rig) {
      const tools = [namedTool('a', { readOnlyHint: true }), namedTool('b', { readOnlyHint: true })]
      const cli = await rig.start({
        servers: {
          s: toolServer(
            () => tools,
            () => undefined,
          ),
        },
      })
      rig.script([toolUse('mcp__s__a'), toolUse('mcp__s__b')])
      cli.say('go')
      const calls = (): number => methods(cli).filter((method) => method === 'tools/call').length
      await cli.untilTrue(() => calls() === 2, 'second call')
      return { atOnce: calls() }
    },
  },
  {
    id: 'servers/cancelled',
    title: 'An interrupt cancels a call by `notifications/cancelled`, not by a control message',
    reliedOnBy: router,
    expected: { sameId: true, control: 0 },
    async observe(rig) {
      const cli = await rig.start({
        servers: {
          s: toolServer(
            () => [namedTool('t')],
            () => undefined,
          ),
        },
      })
      rig.script(toolUse('mcp__s__t'))
      cli.say('go')
      const call = { request: { message: { method: 'tools/call' } } }
      const { request } = await cli.frame(call)
      await cli.ask('interrupt')
      const cancelled = await cli.frame({ request: { message: { method: 'notifications/cancelled' } } })
      return {
        sameId: cancelled.request.message.params.requestId === request.message.id,
        control: cli.all({ type: 'control_cancel_request' }).length,
      }
    },
  },
  {
    id: 'servers/added-tool',
    title: 'After `tools/list_changed` the next request to the model has the new tool',
    reliedOnBy: router,
    expected: { before: ['mcp__s__a'], after: ['mcp__s__a', 'mcp__s__b'] },
    async observe(rig) {
      const tools = [namedTool('a')]
      const cli = await rig.start({ servers: { s: toolServer(() => tools) } })
      await cli.turn('one')
      const before = offered(rig)
      tools.push(namedTool('b'))
      await listChanged(cli)
      await cli.turn('two')
      return { before, after: offered(rig) }
    },
  },
  {
    id: 'servers/withdrawn-tool',
    title: 'A tool that left the list is still shown to the model until the process ends',
    reliedOnBy: sessionServers,
    expected: { after: ['mcp__s__a', 'mcp__s__b'] },
    async observe(rig) {
      let tools = [namedTool('a'), namedTool('b')]
      const cli = await rig.start({ servers: { s: toolServer(() => tools) } })
      await cli.turn('one')
      tools = [namedTool('a')]
      await listChanged(cli)
      await cli.turn('two')
      return { after: offered(rig) }
    },
  },
  {
    id: 'servers/handshake-again',
    title:
      '`tools/list_changed` brings no new handshake, and the definition of a tool stays the first; a server that is put in again is asked for all of it. A tool that left the list is not called',
    reliedOnBy: ['packages/mcp-gateway/src/bridge/bridge-types.ts'],
    expected: {
      afterChange: ['tools/list'],
      description: 'first',
      putInAgain: ['initialize', 'notifications/initialized', 'tools/list'],
      called: 0,
    },
    async observe(rig) {
      let tools = [{ ...namedTool('t'), description: 'first' }]
      const cli = await rig.start({ servers: { s: toolServer(() => tools) } })
      await cli.turn('one')
      let from = methods(cli).length
      tools = [{ ...namedTool('t'), description: 'second' }]
      await listChanged(cli)
      await cli.turn('two')
      const afterChange = methods(cli).slice(from)
      const description = rig.asked.at(-1)?.tools.find(({ name }) => name === 'mcp__s__t')?.description
      from = methods(cli).length
      await cli.ask('mcp_set_servers', { servers: {} })
      await cli.ask('mcp_set_servers', { servers: { s: { type: 'sdk', name: 's' } } })
      await cli.turn('three')
      const putInAgain = methods(cli).slice(from)
      tools = []
      await listChanged(cli)
      rig.script(toolUse('mcp__s__t'))
      await cli.turn('four')
      const called = methods(cli).filter((method) => method === 'tools/call').length
      return { afterChange, description, putInAgain, called }
    },
  },
  {
    id: 'servers/set',
    title: '`mcp_set_servers` adds and removes servers of a running session',
    reliedOnBy: ['packages/claude-code-agent/src/session/session.ts', ...sessionServers],
    expected: { added: ['late'], with: ['mcp__late__t'], removed: ['late'], status: [] },
    async observe(rig) {
      const cli = await rig.start({
        servers: { late: toolServer(() => [namedTool('t')]) },
        initialize: { sdkMcpServers: [] },
      })
      await cli.turn('one')
      const servers = { late: { type: 'sdk', name: 'late' } }
      const { response: first } = await cli.ask('mcp_set_servers', { servers })
      await cli.turn('two')
      const withIt = offered(rig)
      const { response: second } = await cli.ask('mcp_set_servers', { servers: {} })
      const { response } = await cli.ask('mcp_status')
      return {
        added: first.added,
        with: withIt,
        removed: second.removed,
        status: response.mcpServers.map((one: Frame) => one.name),
      }
    },
  },
  {
    id: 'servers/names',
    title: 'In the names of tools, characters that the API does not take become `_`',
    reliedOnBy: [...names, 'packages/mcp-gateway/src/bridge/tool-names.ts'],
    expected: { offered: ['mcp_____x', 'mcp__a_b__c_d'] },
    async observe(rig) {
      const servers = {
        'a.b': toolServer(() => [namedTool('c d')]),
        ü: toolServer(() => [namedTool('x')]),
      }
      const cli = await rig.start({ servers })
      await cli.turn('go')
      return { offered: offered(rig) }
    },
  },
  {
    id: 'servers/reserved-names',
    title:
      'A configured server with a name that the CLI keeps for itself is left out; one named `ide` has no tools',
    reliedOnBy: [
      ...names,
      'packages/server/src/core/mcp/server-name.ts',
      'packages/shared/src/mcp-server-name.ts',
    ],
    expected: { started: ['plain'], listed: ['ide', 'plain'], offered: [] },
    async observe(rig) {
      const entry = { command: await rig.marker('reserved'), args: [] }
      const plain = { command: await rig.marker('plain'), args: [] }
      const reserved = [
        ...['workspace', 'computer-use', 'claude-in-chrome', 'Claude_in_Chrome', 'Claude_Browser'],
        ...['Claude_Preview', 'remote-devices'],
      ]
      await rig.write('project/.mcp.json', {
        mcpServers: { plain, ...Object.fromEntries(reserved.map((name) => [name, entry])) },
      })
      const cli = await rig.start({
        sources: 'project',
        settings: { enableAllProjectMcpServers: true },
        servers: { ide: toolServer(() => [namedTool('t')]) },
      })
      await cli.turn('go')
      const { response } = await cli.ask('mcp_status')
      return {
        started: rig.which('reserved', 'plain'),
        listed: response.mcpServers.map((one: Frame) => one.name).sort(),
        offered: offered(rig),
      }
    },
  },
  {
    id: 'servers/resources',
    title: 'A server that declares resources gives the model three more tools',
    reliedOnBy: ['packages/mcp-gateway/src/bridge/session-view.ts'],
    expected: { more: 3 },
    async observe(rig) {
      const tools = async (capabilities: Frame): Promise<number> => {
        const plain = toolServer(() => [namedTool('t')])
        const server = (message: Frame): unknown =>
          message.method === 'initialize'
            ? { ...serverInfo, capabilities }
            : message.method === 'resources/list'
              ? { resources: [] }
              : plain(message)
        const cli = await rig.start({ servers: { s: server } })
        await cli.turn('go')
        return rig.asked.at(-1)?.toolNames.length ?? 0
      }
      const without = await tools({ tools: {} })
      return { more: (await tools({ tools: {}, resources: {} })) - without }
    },
  },
  {
    id: 'servers/status',
    title: '`mcp_status` gives name, state and tools of each server',
    reliedOnBy: ['packages/server/src/core/sessions/mcp-health.ts'],
    expected: { name: 's', status: 'connected', tools: ['t'] },
    async observe(rig) {
      const cli = await rig.start({ servers: { s: toolServer(() => [namedTool('t')]) } })
      await cli.turn('go')
      const [server] = (await cli.ask('mcp_status')).response.mcpServers
      return { name: server.name, status: server.status, tools: server.tools?.map((one: Frame) => one.name) }
    },
  },
  {
    id: 'servers/deferred',
    title:
      'With `ENABLE_TOOL_SEARCH=false` the tools of servers are in the request, with `true` behind a search, with `auto` where they are many',
    reliedOnBy: ['packages/server/src/credentials/agent-environment.ts'],
    expected: { off: ['mcp__s__t'], on: [], auto: ['mcp__s__t'], many: [] },
    async observe(rig) {
      const offeredWith = async (value: string, tools = [namedTool('t')]): Promise<string[]> => {
        const cli = await rig.start({
          servers: { s: toolServer(() => tools) },
          env: { ENABLE_TOOL_SEARCH: value },
        })
        await cli.turn('go')
        const offers = rig.asked.at(-1)?.tools ?? []
        const there = offers.filter(
          (one) => one.name.startsWith('mcp__') && (one as Frame).defer_loading !== true,
        )
        return there.map((one) => one.name)
      }
      // About 150,000 tokens.
      const words = 'words '.repeat(500)
      const many = Array.from({ length: 300 }, (_, at) => ({ ...namedTool(`t${at}`), description: words }))
      return {
        off: await offeredWith('false'),
        on: await offeredWith('true'),
        auto: await offeredWith('auto'),
        many: await offeredWith('auto', many),
      }
    },
  },
]
