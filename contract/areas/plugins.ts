/** Plugins: what loads them, and what keeps them out. */
import { relative } from 'node:path'
import type { ContractCase, Observation } from '../case.ts'
import type { Frame } from '../cli.ts'
import { commandHook } from '../host-answers.ts'
import { installPlugin } from '../plugin-files.ts'
import type { Rig, StartOptions } from '../rig.ts'

const settings = ['packages/server/src/adapters/claude/agent-settings.ts']

/** A plugin with a part of every kind that changes a session by itself. */
async function installBusyPlugin(rig: Rig): Promise<void> {
  const { enabled } = await installPlugin(rig, {
    'settings.json': { agent: 'p:boss' },
    'agents/boss.md': '---\nname: boss\ndescription: d\ntools: Read\n---\nYOU ARE BOSS\n',
    'output-styles/s.md': '---\nname: s\ndescription: d\nforce-for-plugin: true\n---\nFORCED STYLE\n',
    'skills/sk/SKILL.md': '---\nname: sk\ndescription: d\n---\nsk\n',
    '.mcp.json': { mcpServers: { s: { command: await rig.marker('server'), args: [] } } },
    'hooks/hooks.json': { hooks: { SessionStart: commandHook(await rig.marker('hook')) } },
  })
  await rig.write('.claude/settings.json', enabled)
}

async function inspect(rig: Rig, options: StartOptions): Promise<Observation> {
  const cli = await rig.start(options)
  await cli.turn('go')
  const [init] = cli.all({ subtype: 'init' })
  const request = rig.asked.at(-1)
  const text = JSON.stringify(request?.body)
  return {
    loaded: init.plugins.map((one: Frame) => one.source).filter((id: string) => !id.endsWith('@builtin')),
    skill: init.skills.includes('p:sk'),
    agentReplaced: request?.system.includes('YOU ARE BOSS'),
    styleForced: text.includes('FORCED STYLE'),
    ran: rig.which('server', 'hook'),
  }
}

export const pluginCases: ContractCase[] = [
  {
    id: 'plugins/installed',
    title:
      'An installed plugin that user settings enable changes prompt, tools and style, and runs hook and server',
    reliedOnBy: ['packages/server/src/adapters/mcp-files/find-plugins.ts'],
    expected: {
      loaded: ['p@m'],
      skill: true,
      agentReplaced: true,
      styleForced: true,
      ran: ['server', 'hook'],
    },
    async observe(rig) {
      await installBusyPlugin(rig)
      return await inspect(rig, { sources: 'user' })
    },
  },
  {
    id: 'plugins/listed',
    title:
      'Every turn’s `init` lists each plugin’s `<name>@<marketplace>` and path; only built-in ones have the path `builtin`',
    reliedOnBy: ['packages/server/src/core/hooks/loaded-check.ts'],
    security: true,
    expected: {
      installed: Array(2).fill([{ source: 'p@m', path: 'market/p' }]),
      builtIn: Array(2).fill(['builtin']),
    },
    async observe(rig) {
      const { enabled } = await installPlugin(rig, {})
      await rig.write('.claude/settings.json', enabled)
      const cli = await rig.start({ sources: 'user' })
      await cli.turn('one')
      await cli.turn('two')
      const turns: Frame[][] = cli.all({ subtype: 'init' }).map(({ plugins }) => plugins)
      const isBuiltIn = ({ source }: Frame): boolean => source.endsWith('@builtin')
      return {
        installed: turns.map((plugins) =>
          plugins
            .filter((one) => !isBuiltIn(one))
            .map(({ source, path }) => ({ source, path: relative(rig.home, path) })),
        ),
        builtIn: turns.map((plugins) => [...new Set(plugins.filter(isBuiltIn).map(({ path }) => path))]),
      }
    },
  },
  {
    id: 'plugins/kept-out',
    title: '`enabledPlugins` in `--settings` keeps an installed plugin out altogether, whatever files say',
    reliedOnBy: settings,
    security: true,
    expected: { loaded: [], skill: false, agentReplaced: false, styleForced: false, ran: [] },
    async observe(rig) {
      await installBusyPlugin(rig)
      for (const name of ['settings.json', 'settings.local.json'])
        await rig.write(`project/.claude/${name}`, { enabledPlugins: { 'p@m': true } })
      const sources = 'user,project,local'
      return await inspect(rig, { sources, settings: { enabledPlugins: { 'p@m': false } } })
    },
  },
  {
    id: 'plugins/no-sources',
    title: 'Without settings sources an installed plugin does not load',
    reliedOnBy: settings,
    security: true,
    expected: { loaded: [], skill: false, agentReplaced: false, styleForced: false, ran: [] },
    async observe(rig) {
      await installBusyPlugin(rig)
      return await inspect(rig, { sources: '' })
    },
  },
  {
    id: 'plugins/in-skills-folder',
    title:
      'A folder of the owner’s skills with a manifest is a plugin `<name>@skills-dir`; `enabledPlugins` keeps it out',
    reliedOnBy: [...settings, 'packages/server/src/adapters/hook-files/skill-plugins.ts'],
    security: true,
    expected: { loaded: ['sp@skills-dir'], ran: ['hook'], keptOut: [] },
    async observe(rig) {
      await rig.write('.claude/skills/sp/.claude-plugin/plugin.json', { name: 'sp', version: '1.0.0' })
      const hooks = { SessionStart: commandHook(await rig.marker('hook')) }
      await rig.write('.claude/skills/sp/hooks/hooks.json', { hooks })
      const { loaded, ran } = await inspect(rig, { sources: 'user' })
      const off = { enabledPlugins: { 'sp@skills-dir': false } }
      return { loaded, ran, keptOut: (await inspect(rig, { sources: 'user', settings: off })).loaded }
    },
  },
  {
    id: 'plugins/in-project-skills',
    title:
      'Such a folder in a project’s skills is not a plugin where the folder was not trusted in a terminal',
    reliedOnBy: ['packages/server/src/adapters/trust-files/loading-folders.ts'],
    security: true,
    expected: { loaded: [], ran: [] },
    async observe(rig) {
      await rig.write('project/.claude/skills/pp/.claude-plugin/plugin.json', {
        name: 'pp',
        version: '1.0.0',
      })
      const hooks = { SessionStart: commandHook(await rig.marker('hook')) }
      await rig.write('project/.claude/skills/pp/hooks/hooks.json', { hooks })
      const { loaded, ran } = await inspect(rig, { sources: 'user,project,local' })
      return { loaded, ran }
    },
  },
  {
    id: 'plugins/inline',
    title:
      '`--plugin-dir` loads a folder as `<name>@inline`; a running session gains and loses one by `reload_plugins`',
    reliedOnBy: [
      'packages/claude-code-agent/src/launch/arguments.ts',
      'packages/claude-code-agent/src/session/session.ts',
    ],
    expected: { atStart: ['one@inline'], added: ['one@inline', 'two@inline'], removed: ['two@inline'] },
    async observe(rig) {
      for (const name of ['one', 'two']) {
        await rig.write(`${name}/.claude-plugin/plugin.json`, { name, version: '1.0.0' })
        await rig.write(`${name}/skills/sk/SKILL.md`, '---\nname: sk\ndescription: d\n---\nsk\n')
      }
      const cli = await rig.start({ args: [`--plugin-dir=${rig.home}/one`] })
      const loaded = async (): Promise<string[]> => {
        await cli.turn('go')
        const ids: string[] = cli
          .all({ subtype: 'init' })
          .at(-1)
          .plugins.map((one: Frame) => one.source)
        return ids.filter((id) => id.endsWith('@inline')).sort()
      }
      const atStart = await loaded()
      await cli.ask('reload_plugins', { add_plugins: [{ type: 'local', path: `${rig.home}/two` }] })
      const added = await loaded()
      await cli.ask('apply_flag_settings', { settings: { enabledPlugins: { 'one@inline': false } } })
      await cli.ask('reload_plugins')
      return { atStart, added, removed: await loaded() }
    },
  },
]
