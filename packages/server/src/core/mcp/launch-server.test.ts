import { describe, expect, it } from 'vitest'
import type { FoundServer, McpEntry } from './found-server.ts'
import { type LaunchParts, planLaunch } from './launch-server.ts'

const parts: LaunchParts = {
  env: {
    PATH: '/bin',
    HOME: '/home/owner',
    TOKEN: 'from-the-server',
    ANTHROPIC_API_KEY: 'sk-secret',
    DORKOS_HOME: '/home/owner/.dorkos',
    EXTRA: 'more',
  },
  expandEnv: ['TOKEN'],
  passEnv: ['EXTRA', 'DORKOS_HOME'],
  workspaceId: 'ws_1',
  workspacePath: '/projects/shop',
  ownerHome: '/home/owner',
  callTimeoutMs: 300_000,
  chosenSharing: () => undefined,
}

function found(entry: Partial<McpEntry> & object, more: Partial<FoundServer> = {}): FoundServer {
  const whole = { type: 'stdio', command: 'server', args: [], env: {}, ...entry } as McpEntry
  return { name: 'github', scope: 'user', file: '/home/owner/.claude.json', line: 3, entry: whole, ...more }
}

describe('how a server is started', () => {
  it('gives it a short list of variables, those of its entry, and no secret of ours', () => {
    const plan = planLaunch(found({ env: { API_TOKEN: `\${TOKEN}` } }), parts)
    expect(plan).toEqual({
      kind: 'bridged',
      sharing: { choice: 'auto', sharing: 'session', why: 'unknown' },
      entry: {
        name: 'github',
        sharing: 'session',
        timeoutMs: 300_000,
        launch: {
          type: 'stdio',
          command: 'server',
          args: [],
          cwd: '/projects/shop',
          env: {
            PATH: '/bin',
            HOME: '/home/owner',
            EXTRA: 'more',
            CLAUDE_PROJECT_DIR: '/projects/shop',
            API_TOKEN: 'from-the-server',
          },
        },
        secrets: ['from-the-server', 'more'],
      },
    })
  })

  it('refuses a variable that the owner did not allow, and says how to', () => {
    const plan = planLaunch(found({ args: ['--key', `\${ANTHROPIC_API_KEY}`] }), parts)
    expect(plan).toMatchObject({ kind: 'unusable', sentence: expect.stringContaining('mcp.expandEnv') })
    expect(JSON.stringify(plan)).not.toContain('sk-secret')
  })

  it('says which of the values nobody may read: its own, and those handed on', () => {
    const env = { DATABASE_URL: 'postgres://ada:pw@db/x', REF: `\${TOKEN}` }
    expect(planLaunch(found({ env }), parts)).toMatchObject({
      entry: { secrets: ['postgres://ada:pw@db/x', 'from-the-server', 'more'] },
    })
    const remote = { type: 'http' as const, url: 'https://x', headers: { 'X-Own': 'word of honour' } }
    expect(planLaunch(found(remote), { ...parts, passEnv: ['PATH'] })).toMatchObject({
      entry: { secrets: ['word of honour'] },
    })
  })

  it('refuses an entry that sets a variable of DorkOS’s own', () => {
    const plan = planLaunch(found({ env: { DORKOS_MCP_MARK: 'x' } }), parts)
    expect(plan).toMatchObject({ kind: 'unusable', sentence: expect.stringContaining('DORKOS_MCP_MARK') })
  })

  it('starts DorkOS’s own in the owner’s home, whatever the workspace, so that all share it', () => {
    const plans = ['/projects/shop', '/projects/blog'].map((workspacePath) =>
      planLaunch(found({}, { scope: 'dorkos' }), { ...parts, workspacePath }),
    )
    expect(plans[0]).toEqual(plans[1])
    expect(plans[0]).toMatchObject({ entry: { launch: { cwd: '/home/owner' } } })
  })

  it('takes a directory as it stands, or from where the server belongs', () => {
    expect(planLaunch(found({ cwd: 'tools' }), parts)).toMatchObject({
      entry: { launch: { cwd: '/projects/shop/tools' } },
    })
    expect(planLaunch(found({ cwd: '/opt' }), parts)).toMatchObject({ entry: { launch: { cwd: '/opt' } } })
  })

  it('gives a plugin’s server the path of the plugin', () => {
    const plugin = { name: 'p', root: '/plugins/p', data: '/data/p' }
    const plan = planLaunch(
      found({ command: `\${CLAUDE_PLUGIN_ROOT}/run` }, { scope: 'plugin', name: 'plugin:p:s', plugin }),
      parts,
    )
    expect(plan).toMatchObject({
      entry: {
        launch: {
          command: '/plugins/p/run',
          env: { CLAUDE_PLUGIN_ROOT: '/plugins/p', CLAUDE_PLUGIN_DATA: '/data/p' },
        },
      },
    })
  })

  it('leaves one that is marked so to the CLI, as the CLI takes it', () => {
    const entry = { passthrough: true, args: ['a'], env: { T: `\${TOKEN}` }, timeout: 5000 }
    expect(planLaunch(found(entry), parts)).toEqual({
      kind: 'passthrough',
      config: { type: 'stdio', command: 'server', args: ['a'], env: { T: 'from-the-server' }, timeout: 5000 },
    })
  })

  it('tells what the owner wrote for all from what is for one workspace, where one can sign in', () => {
    const remote = { type: 'http', url: 'https://mcp.example/mcp', headers: {} } as const
    const audienceOf = (scope: FoundServer['scope'], entry: Partial<McpEntry> = remote) => {
      const plan = planLaunch(found(entry, { scope }), parts)
      return plan.kind === 'bridged' ? plan.entry.audience : 'not bridged'
    }
    for (const scope of ['dorkos', 'user', 'settings'] as const) expect(audienceOf(scope)).toBeUndefined()
    for (const scope of ['project', 'local', 'plugin'] as const) expect(audienceOf(scope)).toBe('ws_1')
    expect(audienceOf('project', {})).toBeUndefined()
  })
})
