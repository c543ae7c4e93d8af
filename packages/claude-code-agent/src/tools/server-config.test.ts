import { describe, expect, it } from 'vitest'
import { ToolDefinitionError } from '../errors.ts'
import { checkServers, type McpServerConfig, splitServers } from './server-config.ts'
import type { ServerLink } from './server-connection.ts'
import { createSdkMcpServer } from './tool-server.ts'

const named = (name: string) => ({ name, description: '', inputSchema: {}, handler: () => name })
const server = (...tools: string[]) => createSdkMcpServer({ name: 'any', tools: tools.map(named) })
const link: ServerLink = { sessionId: 's', send: () => {} }
const stdio: McpServerConfig = { command: 'node', args: ['server.js'] }

describe('a set of servers', () => {
  it('of every kind is accepted', () => {
    const instance = { connect: async () => {}, close: async () => {} }
    expect(() =>
      checkServers({
        ours: server('a'),
        foreign: { type: 'sdk', name: 'foreign', instance },
        factory: { type: 'sdk', name: 'factory', instance: () => instance },
        inline: { type: 'sdk', name: 'inline', tools: [named('a')] },
        own: { type: 'sdk', name: 'own', connect: () => server('a').connect(link) },
        stdio,
        http: { type: 'http', url: 'http://127.0.0.1/mcp', headers: { a: 'b' } },
        sse: { type: 'sse', url: 'http://127.0.0.1/sse' },
      }),
    ).not.toThrow()
  })

  it('may hold one server under two names', () => {
    const one = server('a')
    expect(() => checkServers({ first: one, second: one })).not.toThrow()
  })

  const long = 'x'.repeat(50)
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['two names that are one', { 'a b': stdio, 'a.b': server() }, /'a b' and 'a\.b' are one .* mcp__a_b__/],
    [
      'a connect that is none',
      { a: { type: 'sdk', name: 'a', connect: true } },
      /MCP server 'a' of type 'sdk' needs an instance, tools or connect/,
    ],
    ['an empty name', { '': server() }, /needs a name/],
    ...[
      'ide',
      'workspace',
      'computer-use',
      'claude-in-chrome',
      'Claude Browser',
      'Claude Preview',
      'remote-devices',
    ].map((name): [string, Record<string, unknown>, RegExp] => [
      `the reserved name ${name}`,
      { [name]: stdio },
      new RegExp(`MCP server '${name}': Claude Code keeps this name`),
    ]),
    [
      'a tool name too long once prefixed',
      { calculator: server('ok', long) },
      new RegExp(
        `Tool '${long}' of server 'calculator' is 'mcp__calculator__${long}' to the model: 67 characters`,
      ),
    ],
    [
      'tools of two servers that meet in one name',
      { a: server('b__c'), a__b: server('c') },
      /'b__c' of server 'a' and 'c' of server 'a__b' are both 'mcp__a__b__c'/,
    ],
    ['no configuration', { a: undefined }, /MCP server 'a' must be a configuration, got undefined/],
    ['an unknown type', { a: { type: 'ws', url: 'x' } }, /MCP server 'a' has the unknown type "ws"/],
    [
      'stdio without command',
      { a: { type: 'stdio' } },
      /MCP server 'a' of type 'stdio' needs a command, got undefined/,
    ],
    ['http without url', { a: { type: 'http', url: '' } }, /MCP server 'a' of type 'http' needs a url/],
    [
      'sdk without anything',
      { a: { type: 'sdk', name: 'a' } },
      /MCP server 'a' of type 'sdk' needs an instance, tools or connect/,
    ],
    [
      'an instance that is none',
      { a: { type: 'sdk', name: 'a', instance: {} } },
      /MCP server 'a': instance must be/,
    ],
    [
      'what is not JSON',
      { a: { command: 'x', env: { n: 1n } } },
      /MCP server 'a' cannot be passed to the CLI: .*BigInt/,
    ],
  ])('with %s is refused, naming it', (_, servers, message) => {
    const config = servers as Record<string, McpServerConfig>
    expect(() => checkServers(config)).toThrow(ToolDefinitionError)
    expect(() => checkServers(config)).toThrow(message)
    expect(() => splitServers(config)).toThrow(message)
  })

  it('accepts exactly 64 characters', () => {
    expect(() => checkServers({ calculator: server('x'.repeat(47)) })).not.toThrow()
    expect(() => checkServers({ calculator: server('x'.repeat(48)) })).toThrow(/65 characters/)
  })

  it('holds for tools that are added later too', () => {
    const live = server('a')
    checkServers({ calculator: live })
    expect(() => live.addTool(named(long))).toThrow(/of server 'calculator'/)
    expect(live.tools).toHaveLength(1)
  })
})

describe('splitting a set', () => {
  it('parts servers in process from what the CLI runs', async () => {
    const inline: McpServerConfig = { type: 'sdk', name: 'x', tools: [named('t')] }
    const ours = createSdkMcpServer({ name: 'o', timeout: 5_000 })
    const servers = {
      ours,
      wrapped: { type: 'sdk' as const, name: 'w', instance: ours },
      inline,
      tool: { ...stdio, env: { KEY: 'v' }, alwaysLoad: true, timeout: 2_000 },
      web: { type: 'http' as const, url: 'http://127.0.0.1/mcp' },
    }
    const split = splitServers(servers)
    expect([...split.inProcess.keys()]).toEqual(['ours', 'wrapped', 'inline'])
    expect(split.inProcess.get('ours')).toBe(ours)
    expect(split.inProcess.get('wrapped')).toBe(ours)
    expect(split.inProcess.get('ours')?.timeout).toBe(5_000)
    expect(split.external).toEqual({
      tool: {
        type: 'stdio',
        command: 'node',
        args: ['server.js'],
        env: { KEY: 'v' },
        alwaysLoad: true,
        timeout: 2_000,
      },
      web: { type: 'http', url: 'http://127.0.0.1/mcp' },
    })
    const answer = await split.inProcess
      .get('inline')
      ?.connect(link)
      .handle({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } })
    expect(answer?.result).toEqual({ content: [{ type: 'text', text: 't' }] })
    expect(splitServers(servers).inProcess.get('inline')).toBe(split.inProcess.get('inline'))
  })

  it('leaves a server that can only connect as it is, so that a session keeps its connection to it', () => {
    const connected: string[] = []
    const own: McpServerConfig = {
      type: 'sdk',
      name: 'own',
      timeout: 7_000,
      connect(to) {
        connected.push(to.sessionId)
        return server('a').connect(to)
      },
    }
    const split = splitServers({ own })
    expect(split.inProcess.get('own')).toBe(own)
    expect(split.external).toEqual({})
    split.inProcess.get('own')?.connect(link)
    expect(connected).toEqual(['s'])
  })
})

it('takes a server by its `instance` too, as one of the official SDK', () => {
  const made = server('add')
  expect(made.instance).toBe(made)
  const { inProcess } = splitServers({ math: { type: 'sdk', name: 'any', instance: made.instance } })
  expect([...inProcess.keys()]).toEqual(['math'])
})
