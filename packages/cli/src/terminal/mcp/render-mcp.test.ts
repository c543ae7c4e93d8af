import type { McpServer, McpServerDetails, WorkspaceTrust } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { hasHidden } from '../escape.ts'
import { createStyle } from '../style.ts'
import { renderMcpList } from './render-mcp-list.ts'
import { renderMcpServer } from './render-mcp-server.ts'
import { renderToolChange } from './render-mcp-tool.ts'
import { renderTrust } from './render-trust.ts'

const style = createStyle(false)
const now = Date.parse('2026-01-01T00:01:00.000Z')
const time = '2026-01-01T00:00:00.000Z'
/** Ends a line, clears the screen, turns text around, hides. */
const evil = 'x\n[OK] fine\r\x1b[2J\x9b31m\u202e\u200b\u2028y'

const health = {
  state: 'connected' as const,
  since: time,
  connect_ms: 420,
  failures: 0,
  pids: [1],
  own_connections: 0,
  sessions: 2,
  tools: 3,
  resources: 0,
  prompts: 0,
  context_tokens: 100,
  asks_for_input: false,
}

function server(name: string, more: Partial<McpServer> = {}): McpServer {
  return {
    name,
    source: { scope: 'user', file: '/home/me/.claude.json', line: 7 },
    entry: { type: 'stdio', command: 'x' },
    use: 'active',
    held_tools: 0,
    health,
    ...more,
  }
}

const failed = (state: 'failed' | 'needs_auth' | 'pending', error: string) => ({
  ...health,
  state,
  error,
  failures: 3,
  next_try_at: '2026-01-01T00:01:30.000Z',
})

describe('renderMcpList', () => {
  it('has a line for each server, the sum, and the others with their reason', () => {
    const project = { scope: 'project' as const, file: '/w/.mcp.json', line: 3 }
    const { health: _, ...idle } = server('idle')
    const servers = [
      server('works'),
      server('broken', { health: failed('failed', 'it ended') }),
      server('locked', { health: failed('needs_auth', 'answered HTTP 401') }),
      server('slow', { health: { ...health, state: 'pending' } }),
      idle,
      { ...idle, name: 'theirs', entry: { type: 'stdio' as const, command: 'x', passthrough: true } },
      server('off', { use: 'filtered', reason: 'switched_off', message: 'It’s turned off.' }),
      server('works', { use: 'overridden', source: project, message: 'Another goes before it.' }),
      server('db', { use: 'filtered', reason: 'trust', source: project, message: 'Not trusted.' }),
    ]
    const faults = [
      { file: '/w/.mcp.json', line: 9, scope: 'project' as const, name: 'q', message: 'no command.' },
    ]
    expect(renderMcpList({ servers, faults }, now, style)).toEqual([
      '[OK]           works   user  3 tools  0.4s  /home/me/.claude.json:7',
      '[FAILED]       broken  user                 /home/me/.claude.json:7',
      '    it ended; 3 attempts; retrying in 30s',
      '[NEEDS AUTH]   locked  user                 /home/me/.claude.json:7',
      '    answered HTTP 401; 3 attempts; retrying in 30s',
      '[PENDING]      slow    user                 /home/me/.claude.json:7',
      '[NOT STARTED]  idle    user                 /home/me/.claude.json:7',
      '[CLAUDE CODE]  theirs  user                 /home/me/.claude.json:7',
      '[DISABLED]     off     user                 /home/me/.claude.json:7',
      '    It’s turned off.',
      '1 of 5 connected, 1 disabled, 1 run by Claude Code',
      '',
      'Overridden:',
      '  works  project  /w/.mcp.json:3',
      '    Another goes before it.',
      '',
      'Filtered out:',
      '  db  project  /w/.mcp.json:3',
      '    Not trusted.',
      '',
      'Configuration errors:',
      '  /w/.mcp.json:9  q: no command.',
    ])
  })

  it('says how to sign in where that helps, and who has', () => {
    const signed_in = { at: time, by: 'owner', host: 'a.example.org' }
    const locked = failed('needs_auth', 'answered HTTP 401')
    const servers = [
      server('in', { can_sign_in: true, signed_in }),
      server('out', { can_sign_in: true, health: locked }),
      server('ended', { can_sign_in: true, health: locked, signed_in }),
      server('keyed', { health: locked }),
      server('off', { can_sign_in: true, health: locked, use: 'filtered', reason: 'switched_off' }),
    ]
    const lines = renderMcpList({ servers, faults: [] }, now, style)
    expect(lines[0]).toMatch(/^\[OK\] +in +user +3 tools +0\.4s +signed in +\/home/)
    expect(lines.filter((line) => line.includes('sign-in'))).toEqual([
      '    sign in with `dorkos mcp sign-in out`',
      '    sign in again with `dorkos mcp sign-in ended`',
    ])
  })

  it('lets nothing of a server or file act on the terminal, or pose as a line of ours', () => {
    const source = { scope: 'project' as const, file: evil, line: 1 }
    const servers = [
      server(evil, { source, health: failed('failed', evil), held_tools: 1 }),
      server(evil, { source, health: failed('needs_auth', evil), can_sign_in: true }),
      server(evil, { source, use: 'filtered', reason: evil, message: evil }),
      server(evil, { source, use: 'filtered', reason: 'disabled', message: evil }),
      server(evil, { source, use: 'overridden', message: evil, overridden_by: source }),
    ]
    const faults = [{ file: evil, scope: 'project' as const, name: evil, message: evil }]
    const lines = renderMcpList({ servers, faults }, now, style)
    expectHarmless(lines)
    expect(lines.filter((line) => line.startsWith('[OK]'))).toEqual([])
  })
})

const tool = (more: Partial<McpServerDetails['tools'][number]> = {}): McpServerDetails['tools'][number] => ({
  name: 'read',
  full_name: 'mcp__s__read',
  input_schema: { type: 'object' },
  switched_off: false,
  pin: { status: 'pinned', held: false, hash: 'h' },
  stats: { calls: 12, errors: 1, p50_ms: 8.4, p95_ms: 1234 },
  context_tokens: 40,
  ...more,
})

describe('renderMcpServer', () => {
  it('says who signed in where, and what to do where that has ended', () => {
    const signed_in = { at: time, by: 'owner', host: 'a.example.org', scopes: ['read', 'write'] }
    const details = { tools: [], resources: [], prompts: [], faults: [], stderr: [], history: [] }
    const options = { now, width: 100, style }
    const show = (more: Partial<McpServer>) =>
      renderMcpServer({ ...details, server: server('s', more) }, options)
    const lines = show({ can_sign_in: true, signed_in })
    expect(lines).toContain(`signed in   at a.example.org by owner, ${time} (1m), for read write`)
    expect(lines.join()).not.toContain('sign-in')
    expect(show({ can_sign_in: true, signed_in, health: failed('needs_auth', 'x') })).toContain(
      'to do       sign in again with `dorkos mcp sign-in s`',
    )
  })

  it('says how sessions share it, and how many processes serve one each', () => {
    const details = { tools: [], resources: [], prompts: [], faults: [], stderr: [], history: [] }
    const sharing = { choice: 'auto', mode: 'session', why: 'asked' } as const
    const shown = server('s', { sharing, health: { ...health, pids: [1, 2, 3], own_connections: 2 } })
    const lines = renderMcpServer({ ...details, server: shown }, { now, width: 100, style })
    expect(lines).toContain('sharing     auto: one process per session (it asks for input)')
    expect(lines).toContain('of these    2 per session')
  })

  it('lets nothing of a server act on the terminal', () => {
    const diff = [{ path: evil, before: evil, after: evil }]
    const details: McpServerDetails = {
      server: server(evil, {
        source: { scope: 'plugin', file: evil, line: 1, plugin: evil },
        entry: {
          type: 'stdio',
          command: evil,
          args: [evil],
          env: { [evil]: evil },
          cwd: evil,
          url: evil,
          headers: { [evil]: evil },
          modes: [evil],
        },
        health: {
          ...failed('failed', evil),
          server: { name: evil, version: evil, title: evil },
          protocol_version: evil,
        },
        signed_in: { at: time, by: evil, host: evil, scopes: [evil] },
        use: 'overridden',
        message: evil,
        overridden_by: { scope: 'project', file: evil, line: 1 },
      }),
      tools: [
        tool({ name: evil, description: evil, pin: { status: 'changed', held: true, hash: 'h', diff } }),
        tool({
          name: evil,
          description: evil,
          input_schema: { [evil]: evil },
          pin: { status: 'new', held: true, hash: 'h' },
        }),
      ],
      resources: [{ uri: evil, name: evil }],
      prompts: [{ name: evil, description: evil }],
      instructions: evil,
      faults: [evil],
      stderr: [evil],
      history: [{ state: 'failed', time, reason: evil }],
    }
    const lines = renderMcpServer(details, { now, width: 100, style })
    expectHarmless(lines)
    expect(lines.some((line) => line.startsWith('[OK]'))).toBe(false)
    expect(lines.some((line) => line.includes('invisible characters'))).toBe(true)
  })

  it('has calls, errors, latency, tokens and the state of each tool', () => {
    const details: McpServerDetails = {
      server: server('s'),
      tools: [tool({ description: 'Reads.' }), tool({ name: 'gone', switched_off: true })],
      resources: [],
      prompts: [],
      faults: [],
      stderr: [],
      history: [],
    }
    const lines = renderMcpServer(details, { now, width: 100, style })
    expect(lines).toContain('TOOL  STATE  CALLS  ERRORS  P50  P95   TOKENS  DESCRIPTION')
    expect(lines).toContain('read  ok     12     1       8ms  1.2s  40      Reads.')
    expect(lines).toContain('gone  off    12     1       8ms  1.2s  40')
  })

  it('shows what was added to a definition and what was taken out', () => {
    const diff = [
      { path: 'description', before: 'old', after: 'new\nlines' },
      { path: 'inputSchema.a', after: '1' },
    ]
    const lines = renderToolChange(tool({ pin: { status: 'changed', held: true, hash: 'h', diff } }), style)
    expect(lines.slice(1)).toEqual([
      '  description',
      '    - old',
      '    + new',
      '    + lines',
      '  inputSchema.a',
      '    + 1',
    ])
  })
})

describe('renderTrust', () => {
  it('shows every command, its lines behind a bar, and the texts when asked', () => {
    const trust: WorkspaceTrust = {
      state: 'untrusted',
      digest: 'd',
      items: [
        { kind: 'server', path: '.mcp.json', name: 'db', runs: ['db-mcp\n$ other'], text: '{\n}', cut: true },
      ],
      faults: [{ path: '.claude/x', reason: 'too large' }],
    }
    const short = renderTrust(trust, { withText: false, style })
    expect(short).toEqual([
      '',
      'Trust covers',
      '  server db  .mcp.json  2 lines and more',
      '      $ db-mcp',
      '      | $ other',
      '',
      'Can’t be trusted yet',
      '  .claude/x: too large',
    ])
    const long = renderTrust(trust, { withText: true, style })
    expect(long).toContain('      | {')
    expect(long).toContain('      … shortened')
  })

  it('shows settings, and the heads of agents, skills and commands, also when not asked', () => {
    const file = { kind: 'file' as const, runs: [] }
    const trust: WorkspaceTrust = {
      state: 'untrusted',
      digest: 'd',
      items: [
        { kind: 'settings', path: '.claude/settings.json', runs: [], text: '{\n  "model": "x"\n}' },
        { ...file, path: '.claude/agents/a.md', text: '---\r\nname: a\r\n---\r\nThe text' },
        { ...file, path: '.claude/rules/r.md', text: 'Plain text' },
        { kind: 'script', path: 'x.sh', runs: [], text: 'echo plain' },
      ],
      faults: [],
    }
    const lines = renderTrust(trust, { withText: false, style }).join('\n')
    for (const shown of ['"model": "x"', 'name: a']) expect(lines).toContain(shown)
    for (const left of ['The text', 'Plain text', 'echo plain']) expect(lines).not.toContain(left)
  })

  it('lets nothing of a workspace act on the terminal, and warns', () => {
    const covered = { kind: 'settings' as const, path: evil, name: evil }
    const trust: WorkspaceTrust = {
      state: 'changed',
      digest: 'd',
      items: [{ ...covered, runs: [evil], text: evil }],
      changes: [{ ...covered, change: 'changed', diff: `-a\n+${evil}`, notes: [evil] }],
      faults: [{ path: evil, reason: evil }],
      given: { principal: evil, at: time },
    }
    const lines = renderTrust(trust, { withText: true, style })
    expectHarmless(lines)
    expect(lines.at(-1)).toContain('invisible characters')
  })
})

function expectHarmless(lines: readonly string[]): void {
  for (const line of lines) {
    expect(hasHidden(line)).toBe(false)
    expect(line).not.toContain('\n')
  }
}
