/** What the settings say; `test/adversarial` shows what they do. */
import { describe, expect, it } from 'vitest'
import { type AgentSettingsInput, agentSettings } from './agent-settings.ts'

const input: AgentSettingsInput = {
  stateFolders: ['/home/o/.dorkos'],
  claudeConfigDir: '/home/o/.claude',
  claudeConfigFile: '/home/o/.claude.json',
  ownerHome: '/home/o',
  cwd: '/home/o/project/deep',
  workspacePath: '/home/o/project',
  nested: [],
  closed: { files: [], folders: [] },
  sandbox: true,
  allowedDomains: [],
  ownAddresses: [],
  modelSecrets: { variables: [], files: [] },
  pinnedVariables: {},
  unloadedPlugins: ['p@market'],
}

interface Settings {
  permissions: { deny: string[] }
  env?: Record<string, string>
  apiKeyHelper?: string
  disableAllHooks?: boolean
  sandbox: {
    enabled: boolean
    filesystem: { denyRead: string[]; denyWrite: string[] }
    network: { deniedDomains: string[] }
    credentials: { envVars: { name: string; mode: string }[] }
  }
}
const settings = (part: Partial<AgentSettingsInput> = {}) =>
  agentSettings({ ...input, ...part }) as unknown as Settings

describe('the settings of an agent', () => {
  it('close the state, logins and what is loaded, by rules with two slashes', () => {
    const { deny } = settings().permissions
    expect(deny).toEqual(
      expect.arrayContaining([
        'Read(//home/o/.dorkos/**)',
        'Edit(//home/o/.dorkos/**)',
        'Read(//home/o/.claude/.credentials.json)',
        'Read(//home/o/.claude/settings.json)',
        'Read(//home/o/.claude.json)',
        'Edit(//home/o/.claude.json)',
        'Edit(//home/o/project/.claude/settings.json)',
        'Edit(//home/o/project/deep/.claude/settings.json)',
        'WebFetch(domain:127.0.0.1)',
      ]),
    )
    for (const rule of deny) expect(rule).toMatch(/^((Read|Edit)\(\/\/[^/]|WebFetch\(domain:)/)
  })

  it('close a folder that is shared with other servers likewise', () => {
    const stateFolders = ['/home/o/.dorkos', '/srv/dorkos']
    const { permissions, sandbox } = settings({ stateFolders })
    const rules = stateFolders.flatMap((folder) => [`Read(/${folder}/**)`, `Edit(/${folder}/**)`])
    expect(permissions.deny).toEqual(expect.arrayContaining(rules))
    expect(sandbox.filesystem.denyRead).toEqual(stateFolders)
    expect(sandbox.filesystem.denyWrite).toEqual(expect.arrayContaining(stateFolders))
  })

  it('leave no decision to a request to the model', () => {
    expect(settings()).toMatchObject({ useAutoModeDuringPlan: false, disableAutoMode: 'disable' })
  })

  it('keep a provider’s secrets from commands and tools', () => {
    const { sandbox, permissions } = settings({
      modelSecrets: { variables: ['AWS_SECRET_ACCESS_KEY'], files: ['/home/o/.aws/**'] },
    })
    expect(sandbox.credentials.envVars).toContainEqual({ name: 'AWS_SECRET_ACCESS_KEY', mode: 'deny' })
    expect(sandbox.credentials.envVars).toContainEqual({ name: 'ANTHROPIC_AUTH_TOKEN', mode: 'deny' })
    expect(permissions.deny).toContain('Read(//home/o/.aws/**)')
  })

  it('pin what decides where a login goes, and nothing where the environment does', () => {
    expect(settings()).not.toHaveProperty('apiKeyHelper')
    const pinnedVariables = { ANTHROPIC_BASE_URL: 'https://api.anthropic.com', ANTHROPIC_API_KEY: '' }
    expect(settings({ pinnedVariables })).toMatchObject({ env: pinnedVariables, apiKeyHelper: '' })
  })

  it('pin the path by which a sandbox of our own is found', () => {
    const { env, ...others } = settings({ sandboxPath: '/home/o/.dorkos/bin:/usr/bin' })
    expect(env).toMatchObject({ PATH: '/home/o/.dorkos/bin:/usr/bin' })
    const { env: without, ...same } = settings()
    expect(without).not.toHaveProperty('PATH')
    expect(others).toEqual(same)
  })

  it('refuse the addresses of this server', () => {
    const { sandbox, permissions } = settings({ ownAddresses: ['192.0.2.7'] })
    expect(sandbox.network.deniedDomains).toEqual(expect.arrayContaining(['127.0.0.1', '::1', '192.0.2.7']))
    expect(permissions.deny).toContain('WebFetch(domain:192.0.2.7)')
  })

  it('close what shells obey where agents work in the home directory, and only there', () => {
    expect(settings().sandbox.filesystem.denyWrite).toEqual(['/home/o/.dorkos'])
    for (const workspacePath of ['/home/o', '/home', '/'])
      expect(settings({ workspacePath }).sandbox.filesystem.denyWrite).toContain('/home/o/.bash_profile')
  })

  it('let the CLI run no hook, no shell of a skill and no plugin that nobody allowed', () => {
    expect(settings()).toMatchObject({
      disableAllHooks: true,
      disableSkillShellExecution: true,
      enabledPlugins: { 'p@market': false },
    })
  })

  it('pin what would start turns, go on after a crash, read mentioned files, or run a program before every command', () => {
    expect(settings().env).toEqual({
      CLAUDE_CODE_DISABLE_CRON: '1',
      CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
      CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '0',
      CLAUDE_CODE_SHELL_PREFIX: '',
    })
  })

  it('say no to all by which settings files would weaken the sandbox', () => {
    expect(settings().sandbox).toMatchObject({
      allowNestedUserNamespaces: false,
      enableWeakerNestedSandbox: false,
      enableWeakerNetworkIsolation: false,
      allowAppleEvents: false,
      filesystem: { disabled: false },
      network: { allowAllUnixSockets: false, allowLocalBinding: false },
    })
  })

  it('switch the sandbox off where there is none', () => {
    expect(settings({ sandbox: false }).sandbox).toEqual({ enabled: false })
  })
})

describe('another workspace below', () => {
  it('keeps what it loads, too', () => {
    const { deny } = settings({ nested: ['/home/o/project/other'] }).permissions
    expect(deny).toContain('Edit(//home/o/project/other/.claude/settings.json)')
    expect(deny).toContain('Edit(//home/o/project/other/.git/hooks/**)')
  })
})
