/** Hooks that are not the host's: when they run, who can switch them off, and what the CLI says of them. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { commandHook, preToolUse, subagent } from '../host-answers.ts'
import { installPlugin, modFiles, writePlugin } from '../plugin-files.ts'
import type { Rig } from '../rig.ts'
import { noSandbox } from './sandbox.ts'

const gate = ['packages/server/src/adapters/claude/permission-options.ts']
const settings = ['packages/server/src/adapters/claude/agent-settings.ts']
const everySource = 'user,project,local'
const settingsFiles = {
  user: '.claude/settings.json',
  project: 'project/.claude/settings.json',
  local: 'project/.claude/settings.local.json',
}

/** A hook of every kind of file, each of which leaves a mark. Gives the marks. */
async function hooksEverywhere(rig: Rig): Promise<string[]> {
  const marks: string[] = []
  const hooks = async (origin: string): Promise<Frame> => {
    const entries: Frame = {}
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop']) {
      marks.push(`${origin}-${event}`)
      entries[event] = commandHook(await rig.marker(`${origin}-${event}`))
    }
    return entries
  }
  const frontmatter = async (origin: string): Promise<string> => {
    marks.push(origin)
    const command = await rig.marker(origin)
    return `hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: ${command}\n`
  }
  const { enabled } = await installPlugin(rig, { 'hooks/hooks.json': { hooks: await hooks('installed') } })
  await rig.write('inline/hooks/hooks.json', { hooks: await hooks('inline') })
  for (const [origin, file] of Object.entries(settingsFiles))
    await rig.write(file, { ...(origin === 'user' && enabled), hooks: await hooks(origin) })
  await rig.write(
    '.claude/skills/sk/SKILL.md',
    `---\nname: sk\ndescription: d\n${await frontmatter('skill')}---\nsk\n`,
  )
  await rig.write(
    '.claude/agents/ag.md',
    `---\nname: ag\ndescription: d\n${await frontmatter('agent')}---\nag\n`,
  )
  return marks
}

async function runEverything(rig: Rig, off: boolean): Promise<Cli> {
  const cli = await rig.start({
    sources: everySource,
    settings: off ? { disableAllHooks: true } : {},
    args: [`--plugin-dir=${rig.home}/inline`],
    hooks: { UserPromptSubmit: () => ({}), PreToolUse: () => ({}), Stop: () => ({}) },
  })
  rig.script(
    toolUse('Skill', { skill: 'sk' }),
    toolUse('Bash', { command: 'true' }),
    subagent('ag'),
    toolUse('Bash', { command: 'true' }),
    'the subagent is done',
  )
  await cli.turn('go')
  return cli
}

const hostEvents = (cli: Cli): string[] => [
  ...new Set(cli.requests('hook_callback').map((request) => request.input.hook_event_name)),
]

export const hookCases: ContractCase[] = [
  {
    id: 'hooks/all-off',
    title: '`disableAllHooks` in `--settings` stops the hooks of every file and plugin, but not the host’s',
    reliedOnBy: [...settings, ...gate],
    security: true,
    expected: { ranWithoutIt: 22, hooksThatRan: [], host: ['UserPromptSubmit', 'PreToolUse', 'Stop'] },
    async observe(rig) {
      const marks = await hooksEverywhere(rig)
      const other = await rig.sibling()
      const otherMarks = await hooksEverywhere(other)
      await runEverything(other, false)
      const cli = await runEverything(rig, true)
      return {
        ranWithoutIt: other.which(...otherMarks).length,
        hooksThatRan: rig.which(...marks),
        host: hostEvents(cli),
      }
    },
  },
  {
    id: 'hooks/session-start-first',
    title:
      '`SessionStart` hooks of files run before `initialize` is answered: a check afterwards is too late',
    reliedOnBy: settings,
    expected: { ran: ['started'] },
    async observe(rig) {
      await rig.write(settingsFiles.user, {
        hooks: { SessionStart: commandHook(await rig.marker('started')) },
      })
      await rig.start({ sources: everySource })
      return { ran: rig.which('started') }
    },
  },
  {
    id: 'hooks/off-stays-off',
    title:
      '`disableAllHooks: false` in settings files does not undo that of `--settings`, at the start or later',
    reliedOnBy: settings,
    security: true,
    expected: { ran: [], reported: ['local_settings', 'project_settings', 'user_settings'] },
    async observe(rig) {
      const write = async (when: string): Promise<void> => {
        for (const [origin, file] of Object.entries(settingsFiles)) {
          const command = await rig.marker(`${origin}-${when}`)
          const hooks = { UserPromptSubmit: commandHook(command), PreToolUse: commandHook(command) }
          await rig.write(file, { disableAllHooks: false, hooks })
        }
      }
      await write('before')
      const reported = new Set<string>()
      const cli = await rig.start({
        sources: everySource,
        settings: { disableAllHooks: true },
        hooks: { ConfigChange: ({ source }) => reported.add(source) && {} },
      })
      await cli.turn('one')
      await write('later')
      await rig.poll(() => reported.size === 3)
      rig.script(toolUse('Bash', { command: 'true' }))
      await cli.turn('two')
      const marks = Object.keys(settingsFiles).flatMap((origin) => [`${origin}-before`, `${origin}-later`])
      return { ran: rig.which(...marks), reported: [...reported].sort() }
    },
  },
  {
    id: 'hooks/listing',
    title:
      '`get_hooks_listing` names every hook of files and plugins, as disabled where `disableAllHooks` is set; a code module it does not name, but it says whether all are off',
    reliedOnBy: ['packages/server/src/core/hooks/loaded-check.ts'],
    security: true,
    expected: {
      keys: ['eventCatalog', 'events', 'hooks', 'policy'],
      rows: [
        { event: 'Stop', source: 'pluginHook', type: 'command', disabled: true, pluginName: 'inline@inline' },
        { event: 'Stop', source: 'userSettings', type: 'command', disabled: true },
      ],
      policy: { allDisabled: true, policyHookCount: 0 },
      withoutTheSwitch: { rows: [null, null], policy: { allDisabled: false, policyHookCount: 0 } },
      commandIsNamed: true,
    },
    async observe(rig) {
      const command = await rig.marker('stop')
      await rig.write(settingsFiles.user, { hooks: { Stop: commandHook(command) } })
      await rig.write('inline/hooks/hooks.json', { hooks: { Stop: commandHook(command) } })
      await writePlugin(rig, 'mod', modFiles(rig, 'mod-ran', 'none'))
      const list = async (off: boolean): Promise<Frame> => {
        const args = ['inline', 'mod'].map((plugin) => `--plugin-dir=${rig.home}/${plugin}`)
        const cli = await rig.start({ sources: 'user', settings: { disableAllHooks: off }, args })
        return (await cli.ask('get_hooks_listing')).response
      }
      const policyOf = ({ policy: { allDisabled, policyHookCount, policyUnreadable } }: Frame): Frame => ({
        allDisabled,
        policyHookCount,
        policyUnreadable,
      })
      const listing = await list(true)
      const without = await list(false)
      const rows = listing.hooks.map(({ event, source, type, disabled, pluginName }: Frame) => ({
        event,
        source,
        type,
        disabled,
        pluginName,
      }))
      return {
        keys: Object.keys(listing).sort(),
        rows: rows.sort((a: Frame, b: Frame) => a.source.localeCompare(b.source)),
        policy: policyOf(listing),
        withoutTheSwitch: {
          rows: without.hooks.map((row: Frame) => row.disabled ?? null),
          policy: policyOf(without),
        },
        commandIsNamed: listing.hooks.every((row: Frame) => row.commandText === command),
      }
    },
  },
  {
    id: 'hooks/host-under-policy',
    title:
      'No policy of the machine turns the host’s hooks off; it is `managed-settings.json` and, in their order, the files of `managed-settings.d` that are not hidden',
    reliedOnBy: [
      'packages/server/src/core/hooks/hook-service.ts',
      'packages/server/src/adapters/mcp-files/managed-settings.ts',
    ],
    security: true,
    unavailable: () => (process.platform === 'linux' ? noSandbox() : 'it takes bubblewrap'),
    expected: {
      host: ['UserPromptSubmit', 'PreToolUse', 'Stop'],
      ran: [],
      variables: '[file][second]',
    },
    async observe(rig) {
      const strict = { disableAllHooks: true, allowManagedHooksOnly: true, disableSideloadFlags: true }
      await rig.write('policy/managed-settings.json', {
        ...strict,
        strictPluginOnlyCustomization: true,
        env: { FROM_FILE: 'file', FROM_FOLDER: 'file' },
      })
      const folder = { '.3.json': 'hidden', '1.json': 'first', '2.json': 'second', '4.txt': 'another' }
      for (const [name, value] of Object.entries(folder))
        await rig.write(`policy/managed-settings.d/${name}`, { env: { FROM_FOLDER: value } })
      await rig.write(settingsFiles.user, { hooks: { Stop: commandHook(await rig.marker('of-file')) } })
      const deny = ({ tool_input }: Frame): Frame =>
        preToolUse(tool_input.command === 'touch ran' ? 'deny' : 'allow')
      const cli = await rig.start({
        policy: 'policy',
        sources: everySource,
        hooks: { UserPromptSubmit: () => ({}), PreToolUse: deny, Stop: () => ({}) },
      })
      const show = 'echo "[$FROM_FILE][$FROM_FOLDER]"'
      rig.script(toolUse('Bash', { command: 'touch ran' }), toolUse('Bash', { command: show }))
      await cli.turn('go')
      return {
        host: hostEvents(cli),
        ran: rig.which('of-file', 'project/ran'),
        variables: rig.asked.at(-1)?.toolResults.at(-1)?.text,
      }
    },
  },
]
