/** The CLI's own folder is closed to agents' file tools in every mode, but for the plans that the CLI has them write there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { realCliPath, startOffline, toolUse } from '@dorkos/testkit'
import { ClaudeCodeAgent } from 'claude-code-agent'
import { expect, it } from 'vitest'
import { agentSettings } from '../src/adapters/claude/agent-settings.ts'

it('plans can be written in bypassPermissions, and nothing beside them', async () => {
  const loaded = [
    'settings.json',
    'CLAUDE.md',
    'agents/x.md',
    'plugins/x',
    'projects/x.jsonl',
    'Skills/x/y.md',
  ]
  const near = ['plan', 'plan/x', 'plansx/x', 'p', 'x/plans/x', '.x', '_x', '9', 'plans/../settings.json']
  const names = [...loaded, ...near, 'plans/x.md']
  const write = (name: string) =>
    toolUse('Write', { file_path: `${offline.configDir}/${name}`, content: 'x' })
  await using offline = await startOffline([...names.map((name) => () => write(name)), 'done'], {
    sandbox: true,
  })
  const settings = agentSettings({
    stateFolders: [join(offline.home, 'state')],
    claudeConfigDir: offline.configDir,
    claudeConfigFile: join(offline.home, '.claude.json'),
    ownerHome: offline.home,
    cwd: offline.cwd,
    nested: [],
    closed: { files: [], folders: [] },
    workspacePath: undefined,
    sandbox: false,
    allowedDomains: [],
    ownAddresses: [],
    unloadedPlugins: [],
    pinnedVariables: {},
    modelSecrets: { files: [], variables: [] },
  })
  await using agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    env: offline.overlay,
    cwd: offline.cwd,
    permissionMode: 'bypassPermissions',
    settings,
  })
  const session = await agent.startSession({ prompt: 'go' })
  await session.waitForCompletion()
  const results = offline.model.requests.flatMap(({ toolResults }) => toolResults)
  expect(results.map(({ isError }, index) => [names[index], isError])).toEqual(
    names.map((name) => [name, name !== 'plans/x.md']),
  )
  expect(names.filter((name) => existsSync(join(offline.configDir, name)))).toEqual(['plans/x.md'])
})
