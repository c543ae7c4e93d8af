import { readFileSync } from 'node:fs'
import { offeredNameFault } from '@dorkos/mcp-gateway'
import type { McpScope } from '@dorkos/shared'
import { foldServerName, type McpEntryInput, mcpEntrySchema, serverNameFault } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseEntries } from './parse-entries.ts'

const file = '/w/.mcp.json'
const parse = (value: unknown, scope: McpScope = 'user', more: object = {}) =>
  parseEntries({ text: typeof value === 'string' ? value : JSON.stringify(value), file, scope, ...more })
const one = (entry: unknown, scope?: McpScope) => parse({ mcpServers: { s: entry } }, scope)
const reasonsOf = (entry: unknown, scope?: McpScope) => one(entry, scope).faults.map(({ reason }) => reason)
const entryOf = (entry: unknown, scope?: McpScope) => {
  const { servers, faults } = one(entry, scope)
  expect(faults).toEqual([])
  return servers[0]?.entry
}

describe('entries', () => {
  it('knows the line of each, and what it is', () => {
    const text = `// mine
{
  "mcpServers": {
    "fs": { "command": "npx", "args": ["-y", "server"], "env": { "A": "1" }, "cwd": "sub", "timeout": 5, },
    /* remote */
    "docs": { "type": "sse", "url": "https://docs.example/sse", "headers": { "X-Key": "\${KEY}" } },
    "plain": { "url": "https://plain.example/mcp", "sharing": "session" },
  },
}`
    expect(parse(text)).toEqual({
      faults: [],
      servers: [
        {
          name: 'fs',
          scope: 'user',
          file,
          line: 4,
          entry: {
            type: 'stdio',
            command: 'npx',
            args: ['-y', 'server'],
            env: { A: '1' },
            cwd: 'sub',
            timeout: 5,
          },
        },
        {
          name: 'docs',
          scope: 'user',
          file,
          line: 6,
          entry: { type: 'sse', url: 'https://docs.example/sse', headers: { 'X-Key': `\${KEY}` } },
        },
        {
          name: 'plain',
          scope: 'user',
          file,
          line: 7,
          entry: { type: 'http', url: 'https://plain.example/mcp', headers: {}, sharing: 'session' },
        },
      ],
    })
  })

  it('finds them under any path of keys, and at the top where that is allowed', () => {
    const deep = { projects: { '/a.b/c': { mcpServers: { s: { command: 'x' } } } } }
    expect(parse(deep, 'local', { at: ['projects', '/a.b/c', 'mcpServers'] }).servers).toHaveLength(1)
    expect(parse(deep, 'local', { at: ['projects', '/a.b', 'mcpServers'] })).toEqual({
      servers: [],
      faults: [],
    })
    expect(parse({ servers: { s: { command: 'x' } } }, 'user', { at: ['servers'] }).servers).toHaveLength(1)
    const plugin = { name: 'p', root: '/p', data: '/d' }
    const top = { s: { command: 'x' } }
    expect(parse(top, 'plugin', { orTop: true, plugin }).servers).toMatchObject([
      { name: 'plugin:p:s', plugin },
    ])
    expect(parse({ mcpServers: top }, 'plugin', { orTop: true, plugin }).servers).toHaveLength(1)
    expect(parse(top, 'project')).toEqual({ servers: [], faults: [] })
  })

  it('takes the names that other clients have for a type', () => {
    expect(entryOf({ type: 'streamable-http', url: 'http://a.example' })).toMatchObject({ type: 'http' })
    expect(entryOf({ type: 'streamableHttp', url: 'http://a.example' })).toMatchObject({ type: 'http' })
    expect(entryOf({ command: 'x', url: 'http://a.example' })).toMatchObject({ type: 'stdio' })
  })

  it.each([
    [5, 's: a server must be an object: { … }.'],
    [{}, 's: command is missing: the program to start (or give url for a remote server).'],
    [{ type: 'ws', url: 'ws://x' }, 's: type must be stdio, http or sse.'],
    [{ type: 'toString', command: 'x' }, 's: type must be stdio, http or sse.'],
    [{ type: 'http' }, 's: url is missing: the address of the server.'],
    [{ command: 5 }, 's: command must be text in double quotes.'],
    [{ command: ' ' }, 's: command is empty.'],
    [{ command: 'a\0b' }, 's: command holds a null character.'],
    [{ command: 'x', args: 'y' }, 's: args must be a list of texts: ["…", "…"].'],
    [{ command: 'x', args: ['a', 5] }, 's: args[1] must be text in double quotes.'],
    [{ command: 'x', args: Array(257).fill('') }, 's: args has more than 256 items.'],
    [{ command: 'x', args: ['y'.repeat(40_000)] }, 's: args[0] is longer than 32768 characters.'],
    [{ command: 'x', env: { PORT: 3000 } }, 's: env.PORT must be text in double quotes.'],
    [{ command: 'x', env: ['A=1'] }, 's: env must be an object of names and texts: { "NAME": "…" }.'],
    [{ command: 'x', env: { 'A=B': '1' } }, 's: env.A=B is no name for a variable.'],
    [{ command: 'x', cwd: '' }, 's: cwd is empty.'],
    [
      { command: 'x', timeout: '5' },
      's: timeout must be milliseconds: a whole number from 1 to 86400000 (a day).',
    ],
    [{ command: 'x', sharing: 'none' }, 's: sharing must be one of auto, shared, session.'],
    [{ url: 'file:///etc/passwd' }, 's: url must begin with https:// or http://.'],
    [{ url: 'javascript:alert(1)' }, 's: url must begin with https:// or http://.'],
    [{ url: 'example' }, 's: url is not an address; it must begin with https:// or http://.'],
    [{ url: 'https://a.example/\n' }, 's: url holds spaces or control characters.'],
    [
      { url: 'https://me:hunter2@a.example/' },
      's: url holds a user name or password; send them in headers instead.',
    ],
    [
      { url: 'https://hunter2@a.example/' },
      's: url holds a user name or password; send them in headers instead.',
    ],
    [{ url: 'https://a.example', headers: { 'a b': 'c' } }, 's: headers.a b is no name for a header.'],
    [{ url: 'https://a.example', headers: { a: 'b\r\nc: d' } }, 's: headers.a holds a line break.'],
  ])('refuses %j', (entry, reason) => {
    expect(reasonsOf(entry)).toEqual([reason])
    expect(one(entry).servers).toEqual([])
  })

  it('reads whatever the API takes for an entry', () => {
    const text = fc.string({ maxLength: 40 })
    const entries: fc.Arbitrary<McpEntryInput> = fc.record(
      {
        type: fc.constantFrom('stdio', 'http', 'sse'),
        command: text,
        args: fc.array(text, { maxLength: 1200, size: 'max' }),
        env: fc.dictionary(text, text),
        cwd: text,
        url: fc.oneof(fc.webUrl(), text),
        headers: fc.dictionary(text, text),
        timeout: fc.integer({ min: -1, max: 100_000_000 }),
        sharing: fc.constantFrom('auto', 'shared', 'session'),
        modes: fc.array(fc.constantFrom('host', 'container'), { maxLength: 2 }),
        disabled: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(entries, (entry) => {
        if (mcpEntrySchema.safeParse(entry).success) expect(reasonsOf(entry, 'dorkos')).toEqual([])
      }),
    )
  })

  it('never repeats a value of env or headers in a fault', () => {
    const secret = 'hunter2'
    const faults = [
      ...reasonsOf({ command: 5, args: 3, env: { A: secret, B: 5, C: `${secret}\0` } }),
      ...reasonsOf({ url: `https://${secret}@a.example`, headers: { A: `${secret}\n`, 'b b': secret } }),
    ]
    expect(faults.length).toBeGreaterThan(5)
    expect(faults.join()).not.toContain(secret)
  })

  it('leaves what only an owner may say to an owner’s files', () => {
    const entry = { command: 'x', passthrough: true, disabled: true, modes: ['container'] }
    expect(entryOf(entry, 'dorkos')).toMatchObject({
      passthrough: true,
      disabled: true,
      modes: ['container'],
    })
    expect(entryOf(entry, 'user')).toEqual({
      type: 'stdio',
      command: 'x',
      args: [],
      env: {},
      passthrough: true,
    })
    expect(entryOf(entry, 'project')).toEqual({ type: 'stdio', command: 'x', args: [], env: {} })
    expect(entryOf(entry, 'plugin')).toEqual({ type: 'stdio', command: 'x', args: [], env: {} })
    expect(reasonsOf({ command: 'x', modes: ['vm'] }, 'dorkos')).toEqual([
      's: modes must be a list of host, container or both.',
    ])
  })

  it('takes a command for headers only where the CLI runs the server', () => {
    const entry = { url: 'https://a.example', headersHelper: 'get-token' }
    expect(reasonsOf(entry, 'project')[0]).toMatch(
      /headersHelper is not supported, because it runs a command/,
    )
    expect(reasonsOf(entry, 'user')[0]).toMatch(/or set passthrough: true/)
    expect(reasonsOf({ ...entry, passthrough: true }, 'project')).toHaveLength(1)
    expect(entryOf({ ...entry, passthrough: true }, 'user')).toMatchObject({ headersHelper: 'get-token' })
  })
})

describe('names', () => {
  it.each([
    ['dorkos', /kept for the tools of DorkOS/],
    ['DorkOS', /kept for the tools of DorkOS/],
    ['ide', /Claude Code keeps this name/],
    ['', /a server needs a name/],
    ['a__b', /double underscore/],
    ['a  b', /double underscore/],
    ['a._b', /double underscore/],
    ['a_', /can also be read as another server’s/],
    ['Café', /can also be read as another server’s/],
    ['a\nb', /control or invisible/],
    ['a\u200bb', /control or invisible/],
    ['x'.repeat(42), /longer than 41/],
  ])('refuses %j', (name, why) => {
    const { servers, faults } = parse({ mcpServers: { [name]: { command: 'x' }, good: { command: 'y' } } })
    expect(servers.map((server) => server.name)).toEqual(['good'])
    expect(faults).toHaveLength(1)
    expect(faults[0]?.reason).toMatch(why)
    expect(faults[0]?.reason).not.toMatch(/[\n\u200b]/)
  })

  it('keeps the same names for the CLI as the SDK does', () => {
    const sdk = readFileSync(
      new URL('../../../../claude-code-agent/src/tools/server-names.ts', import.meta.url),
      'utf8',
    )
    const names = /RESERVED = new Set\(\[([^\]]+)\]/.exec(sdk)?.[1]?.match(/[\w-]+/g) ?? []
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(serverNameFault(name)).toMatch(/Claude Code keeps/)
  })

  it('takes none that the gateway could not offer', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '_', '-', '.', ' ', 'é', '\u{1f600}'),
      maxLength: 80,
    })
    fc.assert(
      fc.property(name, fc.boolean(), (given, isPlugin) => {
        const full = isPlugin ? `plugin:p:${given}` : given
        if (serverNameFault(given, full) === undefined) expect(offeredNameFault(full)).toBeUndefined()
      }),
      { numRuns: 5000 },
    )
  })

  it('refuses a plugin’s server whose full name would be read as two', () => {
    const plugin = { name: 'p', root: '/p', data: '/d' }
    const { servers, faults } = parse({ mcpServers: { _x: { command: 'x' } } }, 'plugin', { plugin })
    expect(servers).toEqual([])
    expect(faults[0]?.reason).toMatch(/mcp__plugin_p__x__…/)
  })

  it('refuses the second of two names that the CLI folds into one, and no broken one counts', () => {
    const { servers, faults } = parse({
      mcpServers: { 'a.b': {}, 'a b': { command: 'x' }, a_b: { command: 'y' } },
    })
    expect(servers.map(({ name }) => name)).toEqual(['a b'])
    expect(faults.map(({ name }) => name)).toEqual(['a.b', 'a_b'])
    expect(faults[1]?.reason).toMatch(/same name as a b in line 1/)
  })

  it('makes every name that it takes tell its tools from those of every other', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '_', '-', '.', ' ', 'é'),
      minLength: 1,
      maxLength: 6,
    })
    const tool = fc.string({ unit: fc.constantFrom('a', '_', '-'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(name, name, tool, tool, (a, b, toolA, toolB) => {
        if (serverNameFault(a) || serverNameFault(b) || foldServerName(a) === foldServerName(b)) return
        expect(`mcp__${foldServerName(a)}__${toolA}`).not.toBe(`mcp__${foldServerName(b)}__${toolB}`)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('files', () => {
  it('says where a file is not JSON, once', () => {
    expect(parse('{\n "mcpServers": {\n  "a": { "command" "x" }\n} }')).toEqual({
      servers: [],
      faults: [
        {
          file,
          scope: 'user',
          line: 3,
          column: 20,
          reason: 'The file is not JSON: in line 3, column 20, a colon was expected.',
        },
      ],
    })
    expect(parse('[]').faults[0]?.reason).toBe('The file must hold one object: { … }.')
    expect(parse('').faults[0]?.reason).toMatch(/the file is empty/)
    expect(parse({ mcpServers: ['x'] }).faults[0]?.reason).toMatch(/must be an object/)
    expect(parse({ mcpServers: null }).faults[0]?.reason).toMatch(/must be an object/)
  })

  it('takes the last of entries that stand there twice, and says so at the earlier one', () => {
    const text = `{ "mcpServers": {
      "a": { "command": "first" },
      "a": { "command": "second",
             "command": "third" } } }`
    const { servers, faults } = parse(text)
    expect(servers).toMatchObject([{ line: 3, entry: { command: 'third' } }])
    expect(faults.map(({ line, name }) => [line, name])).toEqual([
      [2, 'a'],
      [3, 'a'],
    ])
    const twice = parse('{ "mcpServers": {"a": {"command": "x"}},\n "mcpServers": {"b": {"command": "y"}} }')
    expect(twice.servers.map(({ name }) => name)).toEqual(['b'])
    expect(twice.faults).toMatchObject([{ line: 1, name: 'mcpServers' }])
  })

  it('harms no prototype', () => {
    const { servers, faults } = parse(
      '{ "mcpServers": { "__proto__": { "command": "x" }, "constructor": { "command": "y", "env": { "__proto__": "z" } } } }',
    )
    expect(faults).toMatchObject([
      { name: '__proto__' },
      { name: 'constructor', reason: 'constructor: env.__proto__ cannot be used as a name.' },
    ])
    expect(servers).toEqual([])
  })

  it('reads no more than 256 servers of a file', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`s${index}`, { command: 'x' }]),
    )
    const { servers, faults } = parse({ mcpServers: many })
    expect(servers).toHaveLength(256)
    expect(faults).toHaveLength(1)
  })

  it('lets no entry harm another, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (junk, name) => {
        const before = { command: 'x' }
        const { servers } = parse({ mcpServers: { before, [`z${name}`]: junk, after: { command: 'y' } } })
        expect(servers.map((server) => server.name)).toEqual(expect.arrayContaining(['before', 'after']))
      }),
    )
  })
})
