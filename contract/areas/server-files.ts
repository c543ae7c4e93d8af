/** MCP servers that files name. The server reads these files itself, and gives sessions what the CLI would. */
import { chmod } from 'node:fs/promises'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import type { Rig } from '../rig.ts'

const entry = async (rig: Rig, mark: string): Promise<Frame> => ({
  command: await rig.marker(mark),
  args: [],
})

/** The names of the servers that a session has, with this list in the owner's settings. */
async function allowed(rig: Rig, allowedMcpServers: Frame[]): Promise<string[]> {
  await rig.write('.claude/settings.json', { allowedMcpServers })
  const cli = await rig.start({ sources: 'user' })
  const { response } = await cli.ask('mcp_status')
  return response.mcpServers.map(({ name }: Frame) => name).sort()
}

export const serverFileCases: ContractCase[] = [
  {
    id: 'server-files/resolved',
    title:
      'A project’s server that `disabledMcpjsonServers` names lets the owner’s of that name through; a plugin’s that is started like another is that one; variables in braces are put in once, with or without a default',
    reliedOnBy: [
      'packages/server/src/core/mcp/resolve-servers.ts',
      'packages/server/src/core/mcp/expand-variables.ts',
    ],
    expected: {
      started: ['both-of-owner', 'of-owner', 'of-plugin'],
      listed: ['both', 'mine', 'plugin:inline:own', 'variables'],
      words: ['$SET', `\${}`, `\${SET-x}`, 'value', 'default', 'value', 'avalueb', `\${SET}`],
    },
    async observe(rig) {
      const mine = await entry(rig, 'of-owner')
      const command = await rig.write(
        'bin/words.sh',
        `#!/bin/sh\nprintf '%s\\n' "$@" > '${rig.home}/words'\n`,
      )
      await chmod(command, 0o755)
      const args = [
        '$SET',
        `\${}`,
        `\${SET-x}`,
        `\${SET}`,
        `\${UNSET:-default}`,
        `\${SET:-default}`,
        `a\${SET}b`,
      ]
      await rig.write('.claude/.claude.json', {
        mcpServers: {
          both: await entry(rig, 'both-of-owner'),
          mine,
          variables: { command, args: [...args, `\${HOLDS}`] },
        },
      })
      await rig.write('project/.mcp.json', { mcpServers: { both: await entry(rig, 'both-of-project') } })
      await rig.write('inline/.mcp.json', { mcpServers: { again: mine, own: await entry(rig, 'of-plugin') } })
      await rig.write('.claude/settings.json', { disabledMcpjsonServers: ['both'] })
      const cli = await rig.start({
        sources: 'user,project,local',
        args: [`--plugin-dir=${rig.home}/inline`],
        env: { SET: 'value', HOLDS: `\${SET}` },
      })
      await cli.turn('go')
      const { response } = await cli.ask('mcp_status')
      return {
        started: rig.which('both-of-owner', 'both-of-project', 'of-owner', 'of-plugin'),
        listed: response.mcpServers.map(({ name }: Frame) => name).sort(),
        words: (await rig.read('words')).trim().split('\n'),
      }
    },
  },
  {
    id: 'server-files/allowed',
    title:
      'A list of allowed servers that names a command decides about local ones by command alone, one that names an address about remote ones by address alone; else names decide',
    reliedOnBy: ['packages/server/src/core/mcp/match-server.ts'],
    expected: { names: ['local', 'remote'], all: ['other-local', 'other-remote'] },
    async observe(rig) {
      const other = await entry(rig, 'other')
      const remote = (path: string): Frame => ({ type: 'http', url: `http://127.0.0.1:9/${path}` })
      await rig.write('.claude/.claude.json', {
        mcpServers: {
          local: await entry(rig, 'local'),
          remote: remote('one'),
          'other-local': other,
          'other-remote': remote('two'),
        },
      })
      const names = [{ serverName: 'local' }, { serverName: 'remote' }]
      const more = [{ serverCommand: [other.command] }, { serverUrl: 'http://127.0.0.1:9/t*' }]
      return { names: await allowed(rig, names), all: await allowed(rig, [...names, ...more]) }
    },
  },
]
