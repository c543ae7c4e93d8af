import type { McpServer } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { hasHidden } from '../../terminal/escape.ts'
import { diagnoseList, diagnoseServer } from './diagnose-servers.ts'

const known = {
  configFile: '/h/.dorkos/config.jsonc',
  findProgram: (command: string) => (command === 'npx' ? '/opt/node/bin/npx' : undefined),
}
const time = '2026-01-01T00:00:00.000Z'

function server(more: Partial<McpServer> = {}): McpServer {
  return {
    name: 'files',
    source: { scope: 'user', file: '/h/.claude.json', line: 7 },
    entry: { type: 'stdio', command: 'npx' },
    use: 'active',
    held_tools: 0,
    ...more,
  }
}

function troubled(state: 'failed' | 'needs_auth' | 'pending', error: string, more: Partial<McpServer> = {}) {
  const health = {
    state,
    error,
    since: time,
    failures: 1,
    pids: [],
    own_connections: 0,
    sessions: 0,
    tools: 0,
    resources: 0,
    prompts: 0,
    context_tokens: 0,
    asks_for_input: false,
  }
  return diagnoseServer({ server: server({ health, ...more }), faults: [], stderr: [] }, known)
}

const web = { entry: { type: 'http' as const, url: 'https://a' } }

describe('diagnoseServer', () => {
  it.each([
    [
      troubled('failed', 'command not found: npx'),
      /npx is \/opt\/node\/bin\/npx .*isn’t on the server’s PATH/,
    ],
    [
      troubled('failed', 'command not found: uvx', { entry: { type: 'stdio', command: 'uvx' } }),
      /Install uvx, or use the program’s full path .*\/h\/\.claude\.json:7/,
    ],
    [troubled('failed', 'command can’t be run: npx'), /chmod \+x/],
    [troubled('failed', 'working directory not found: /x'), /change cwd in \/h\/\.claude\.json:7/],
    [
      troubled('needs_auth', 'answered HTTP 401', { ...web, can_sign_in: true }),
      /^It needs authentication: sign in with `dorkos mcp sign-in files`\.$/,
    ],
    [
      troubled('needs_auth', 'answered HTTP 401', {
        ...web,
        can_sign_in: true,
        signed_in: { at: time, by: 'owner', host: 'a' },
      }),
      /sign in again with `dorkos mcp sign-in files`/,
    ],
    [troubled('needs_auth', 'answered HTTP 401', web), /add a header in \/h\/\.claude\.json:7/],
    [
      troubled('needs_auth', 'answered HTTP 401', { entry: { ...web.entry, headers: { 'X-Key': '•••' } } }),
      /put a valid token into X-Key/,
    ],
    [troubled('failed', 'answered HTTP 404; …, its type must be "sse"', web), /Try "type": "sse"/],
    [troubled('failed', 'fetch failed', web), /Check that the URL/],
    [troubled('pending', 'it ended with code 1'), /dorkos mcp show files/],
  ])('says what to do: %j', ([found], fix) => {
    expect(found?.fix).toMatch(fix)
  })

  it.each([
    [
      ['npm error 404 Not Found - GET x', 'npm error A complete log of this run can be found in: /l'],
      'says: npm error 404',
    ],
    [['TypeError: no', '    at error (x.js:1)', 'Node.js v20'], 'says: TypeError: no'],
    [['one', 'two'], 'ends with: two'],
  ])('quotes what names the cause: %j', (stderr, words) => {
    const failed = server({
      health: {
        state: 'failed',
        since: time,
        failures: 1,
        pids: [],
        own_connections: 0,
        sessions: 0,
        tools: 0,
        resources: 0,
        prompts: 0,
        context_tokens: 0,
        asks_for_input: false,
      },
    })
    const [found] = diagnoseServer({ server: failed, faults: [], stderr }, known)
    expect(found?.detail).toContain(`its standard error ${words}`)
  })

  it('has nothing to say about a server that works, starts or waits to be used', () => {
    expect(diagnoseServer({ server: server(), faults: [], stderr: [] }, known)).toEqual([])
  })

  it('reports held tools and what was left out, and lets nothing act on the terminal', () => {
    const evil = 'a\x1b[2J\u202e\nb'
    const found = diagnoseServer(
      { server: server({ name: evil, held_tools: 2 }), faults: [evil], stderr: [] },
      known,
    )
    expect(found.map(({ state }) => state)).toEqual(['warning', 'warning'])
    expect(found[0]?.fix).toContain('dorkos mcp accept')
    expect(hasHidden(found)).toBe(false)
    expect(found[0]?.check).not.toContain('\n')
  })
})

describe('diagnoseList', () => {
  it('names broken files, trust and variables, and leaves what somebody wanted so', () => {
    const filtered = (reason: string, message: string) => server({ use: 'filtered', reason, message })
    const servers = [
      filtered('trust', 'not trusted'),
      filtered('variables', 'A may not be used: add it to mcp.expandEnv in the configuration.'),
      filtered('variables', 'B is not set in the environment of the DorkOS server.'),
      filtered('variables', 'With its variables put in, command is empty.'),
      filtered('switched_off', 'It’s turned off.'),
      filtered('denied', 'deniedMcpServers denies it.'),
    ]
    const faults = [{ file: '/w/.mcp.json', line: 2, scope: 'project' as const, message: 'not JSON' }]
    const found = diagnoseList({ name: 'my work', trust: 'changed' }, { servers, faults }, known)
    expect(found.map(({ state, fix }) => `${state}: ${fix}`)).toEqual([
      'fault: Fix it in /w/.mcp.json:2. No restart needed.',
      "warning: Review what would run, and trust it: dorkos mcp trust --workspace 'my work'",
      'fault: Add the names to mcp.expandEnv in /h/.dorkos/config.jsonc.',
      'fault: Set them where you start the server, and restart it.',
      'fault: Change it in /h/.claude.json:7.',
    ])
    expect(found[1]?.detail).toContain('changed since it was trusted')
  })
})
