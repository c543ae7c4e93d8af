import type { McpScope } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import type { FoundServer } from './found-server.ts'
import { workspaceServers } from './workspace-servers.ts'

const found = (scope: McpScope, name: string): FoundServer => ({
  name,
  scope,
  file: `/${scope}.json`,
  line: 1,
  entry: { type: 'stdio', command: 'run', args: [], env: {} },
  ...(scope === 'plugin' && { plugin: { name: 'p', root: '/p', data: '/data' } }),
})
const launch = { type: 'stdio', command: 'node', args: [], env: { SECRET: 'x' }, cwd: '/home/owner' } as const
const folder = {
  folder: '/home/owner/.dorkos/tools',
  workspaceId: undefined,
  entry: { name: 'tools', launch, sharing: 'shared', timeoutMs: 1000 } as const,
}

function resolve(servers: FoundServer[], switchedOff: string[] = [], toolFolders = [folder]) {
  const { active, overridden, filtered } = workspaceServers({
    reading: { servers, faults: [], policy: { disabledProject: [], denied: [] }, files: [] },
    workspace: {
      workspaceId: 'w',
      path: '/projects/shop',
      main: true,
      mode: 'host',
      trusted: true,
      plugins: ['/p'],
      serversFile: undefined,
      modules: {},
    },
    switchedOff: new Set(switchedOff),
    toolFolders,
    launch: {
      env: {},
      expandEnv: [],
      passEnv: [],
      workspaceId: 'ws_1',
      workspacePath: '/projects/shop',
      ownerHome: '/home/owner',
      callTimeoutMs: 1000,
      chosenSharing: () => undefined,
    },
  })
  return {
    active: active.map(({ server, isOwn }) => `${server.scope}/${server.name}${isOwn ? ' (own)' : ''}`),
    overridden: overridden.map(({ server, by }) => `${server.file} by ${by.file}`),
    filtered: filtered.map(({ server, reason }) => `${server.name}: ${reason}`),
  }
}

describe('the owner’s own tools', () => {
  it('are one more server, without its environment in what is shown', () => {
    expect(resolve([found('user', 'github')])).toEqual({
      active: ['user/github', 'dorkos/tools (own)'],
      overridden: [],
      filtered: [],
    })
  })

  it.each(['project', 'user', 'plugin'] as const)('keep their name from a server of scope %s', (scope) => {
    expect(resolve([found(scope, 'tools')])).toMatchObject({
      active: ['dorkos/tools (own)'],
      filtered: ['tools: reserved'],
    })
    // However it is spelt, and where the owner has no tools, too.
    for (const name of ['Tools', 'TOOLS', 'workspace-tools', 'Workspace-Tools'])
      expect(resolve([found(scope, name)], [], [])).toEqual({
        active: [],
        overridden: [],
        filtered: [`${name}: reserved`],
      })
    expect(resolve([found(scope, 'toolsmith')], [], []).active).toEqual([`${scope}/toolsmith`])
  })

  it('give way to the owner’s own configuration, and can be switched off', () => {
    expect(resolve([found('dorkos', 'tools')])).toMatchObject({
      active: ['dorkos/tools'],
      overridden: ['/home/owner/.dorkos/tools by /dorkos.json'],
    })
    expect(resolve([], ['tools'])).toMatchObject({ active: [], filtered: ['tools: switched_off'] })
  })
})
