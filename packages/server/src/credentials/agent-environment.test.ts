import { describe, expect, it } from 'vitest'
import { type AgentEnvironmentInput, agentEnvironment, refusedVariables } from './agent-environment.ts'

/** All that must not pass, and all that may. */
const hostile = {
  PATH: '/bin',
  HOME: '/home/o',
  USER: 'o',
  LOGNAME: 'o',
  SHELL: '/bin/bash',
  LANG: 'en',
  LC_ALL: 'C',
  LC_TIME: 'C',
  TZ: 'UTC',
  TERM: 'xterm',
  TMPDIR: '/tmp/o',
  CLAUDE_CONFIG_DIR: '/home/o/c',
  LD_PRELOAD: '/evil.so',
  LD_LIBRARY_PATH: '/evil',
  DYLD_INSERT_LIBRARIES: '/evil',
  NODE_OPTIONS: '--require=/evil',
  BASH_ENV: '/evil',
  ENV: '/evil',
  'BASH_FUNC_ls%%': '() { evil; }',
  LC_evil: 'x',
  GIT_SSH_COMMAND: 'evil',
  GIT_DIR: '/evil',
  DORKOS_HOME: '/home/o/.dorkos',
  DORKOS_PORT: '1',
  DORKOS_ANTHROPIC_BASE_URL: 'x',
  SSH_AUTH_SOCK: '/agent',
  DBUS_SESSION_BUS_ADDRESS: 'x',
  XDG_RUNTIME_DIR: '/run',
  ANTHROPIC_API_KEY: 'sk-real',
  ANTHROPIC_AUTH_TOKEN: 'real',
  ANTHROPIC_BASE_URL: 'https://evil',
  ANTHROPIC_CUSTOM_HEADERS: 'x: y',
  CLAUDE_CODE_OAUTH_TOKEN: 'real',
  CLAUDECODE: '1',
  CLAUDE_CODE_SSE_PORT: '1',
  CLAUDE_CODE_USE_BEDROCK: '1',
  AWS_SECRET_ACCESS_KEY: 'real',
  GITHUB_TOKEN: 'real',
  NPM_TOKEN: 'real',
  HTTPS_PROXY: 'http://evil',
  IS_SANDBOX: '',
  MY_VARIABLE: 'mine',
  path: '/evil',
}

const mcp = { toolSearch: 'off' } as const
const inherited = {
  PATH: '/bin',
  HOME: '/home/o',
  USER: 'o',
  LOGNAME: 'o',
  SHELL: '/bin/bash',
  LANG: 'en',
  LC_ALL: 'C',
  LC_TIME: 'C',
  TZ: 'UTC',
  TERM: 'xterm',
  TMPDIR: '/tmp/o',
  CLAUDE_CONFIG_DIR: '/home/o/c',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  ENABLE_TOOL_SEARCH: 'false',
  CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
  CLAUDE_CODE_DISABLE_CRON: '1',
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
  CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
}
const gateway = {
  CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: '1',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_AUTH_TOKEN: 'dorkos-session-1',
}

function make(input: Partial<AgentEnvironmentInput> = {}) {
  return agentEnvironment({
    base: hostile,
    config: { agentEnv: [], mcp },
    modelSource: { kind: 'gateway', source: 'api_key', baseUrl: 'https://a', headers: async () => ({}) },
    sessionCredential: 'dorkos-session-1',
    gatewayUrl: 'http://127.0.0.1:9',
    demoConfigDir: '/home/o/.dorkos/demo',
    sandbox: false,
    folderConfirmed: true,
    root: false,
    ...input,
  })
}

describe('the environment of an agent', () => {
  it('is the list and nothing else, whatever the server’s own holds', () => {
    expect(make()).toEqual({ ...inherited, ...gateway })
  })

  it.each([
    ['auto', 'auto'],
    ['on', 'true'],
    ['off', 'false'],
  ] as const)('has tool search as it is set (%s), but for the demo model', (toolSearch, value) => {
    const config = { agentEnv: [], mcp: { toolSearch } }
    expect(make({ config }).ENABLE_TOOL_SEARCH).toBe(value)
    expect(make({ config, modelSource: { kind: 'demo' } }).ENABLE_TOOL_SEARCH).toBe('false')
  })

  it('has what the owner names, but never what loads code, is a key, or decides where the model is', () => {
    const agentEnv = Object.keys(hostile).concat('NOT_SET', '__proto__')
    expect(make({ config: { agentEnv, mcp } })).toEqual({
      ...inherited,
      ...gateway,
      ...Object.fromEntries(
        (
          [
            'SSH_AUTH_SOCK',
            'DBUS_SESSION_BUS_ADDRESS',
            'XDG_RUNTIME_DIR',
            'AWS_SECRET_ACCESS_KEY',
            'GITHUB_TOKEN',
            'NPM_TOKEN',
            'HTTPS_PROXY',
            'MY_VARIABLE',
            'path',
            'LC_evil',
          ] as const
        ).map((name) => [name, hostile[name]]),
      ),
    })
    expect(refusedVariables({ agentEnv: ['MY_VARIABLE', 'LD_PRELOAD', 'ANTHROPIC_API_KEY'] })).toEqual([
      'LD_PRELOAD',
      'ANTHROPIC_API_KEY',
    ])
  })

  it('of the demo model has a folder of its own and the gateway', () => {
    const made = make({ modelSource: { kind: 'demo' } })
    expect(made).toEqual({ ...inherited, ...gateway, CLAUDE_CONFIG_DIR: '/home/o/.dorkos/demo' })
  })

  it('has the provider’s variables where the CLI reaches the model itself', () => {
    const env = { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'r' }
    const modelSource = { kind: 'cli', source: 'bedrock', env, pinned: {} } as const
    const made = make({ modelSource, gatewayUrl: undefined, sessionCredential: undefined })
    expect(made).toEqual({ ...inherited, ...env, CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: '1' })
  })

  it('of a login from the CLI’s own file leaves the provider to the CLI', () => {
    expect(make({ modelSource: { kind: 'cli', source: 'cli_login', env: {}, pinned: {} } })).toEqual(
      inherited,
    )
    const env = { CLAUDE_CODE_OAUTH_TOKEN: 'o' }
    const made = make({ modelSource: { kind: 'cli', source: 'cli_login', env, pinned: {} } })
    expect(made).toEqual({ ...inherited, ...env, CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: '1' })
  })

  it('is not made without a credential for the gateway', () => {
    expect(() => make({ sessionCredential: undefined })).toThrow('credential')
    expect(() => make({ modelSource: { kind: 'demo' }, gatewayUrl: undefined })).toThrow('address')
  })

  it('says that a root process is contained only where it is', () => {
    expect(make({ root: true })).not.toHaveProperty('IS_SANDBOX')
    expect(make({ root: true, sandbox: true })).toHaveProperty('IS_SANDBOX', '1')
    expect(make({ root: false, sandbox: true })).not.toHaveProperty('IS_SANDBOX')
    expect(make({ root: true, base: { ...hostile, IS_SANDBOX: '1' } })).toHaveProperty('IS_SANDBOX', '1')
  })
})

it('lets the CLI read nothing by itself in a folder that nobody confirmed', () => {
  const names = ['CLAUDE_MDS', 'GIT_INSTRUCTIONS'].map((what) => `CLAUDE_CODE_DISABLE_${what}`)
  const set = (env: Record<string, string>) => names.map((name) => env[name])
  expect(set(make({ folderConfirmed: false }))).toEqual(['1', '1'])
  expect(set(make())).toEqual([undefined, undefined])
})

it('in a container has the container’s own, and nothing of the owner’s but the language', () => {
  const own = { PATH: '/usr/bin', HOME: '/home/agent', CLAUDE_CONFIG_DIR: '/c' }
  const env = agentEnvironment({
    base: { ...hostile, SECRET: 'x', IS_SANDBOX: undefined },
    config: { agentEnv: ['SECRET', 'SSH_AUTH_SOCK', 'TMPDIR'], mcp },
    modelSource: { kind: 'demo' },
    sessionCredential: 'none',
    gatewayUrl: 'http://127.0.0.1:1',
    demoConfigDir: '/demo',
    sandbox: true,
    folderConfirmed: true,
    container: own,
    root: true,
  })
  expect(env).toEqual({
    ...{ LANG: 'en', LC_ALL: 'C', LC_TIME: 'C', TZ: 'UTC', TERM: 'xterm' },
    ...own,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
    CLAUDE_CODE_DISABLE_CRON: '1',
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
    CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: '1',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    ANTHROPIC_AUTH_TOKEN: 'none',
    IS_SANDBOX: '1',
  })
})
