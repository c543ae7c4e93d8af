/** Settings: which files count, what the host's own win over, and what files can never do. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import type { Rig, StartOptions } from '../rig.ts'

const settings = ['packages/server/src/adapters/claude/agent-settings.ts']
const elsewhere = 'http://127.0.0.1:9'
const servers = ['of-project', 'of-folder', 'of-owner', 'of-plugin']

/** The output of one command of the agent. */
async function output(rig: Rig, options: StartOptions, command: string): Promise<string> {
  const cli = await rig.start(options)
  rig.script(toolUse('Bash', { command }))
  await cli.turn('go')
  return rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''
}

async function writeEverySettings(rig: Rig, content: Frame): Promise<void> {
  await rig.write('.claude/settings.json', content)
  await rig.write('project/.claude/settings.json', content)
  await rig.write('project/.claude/settings.local.json', content)
}

export const settingsCases: ContractCase[] = [
  {
    id: 'settings/sources',
    title: 'Only the settings files that `--setting-sources` names count; none where it is empty',
    reliedOnBy: ['packages/server/src/core/sessions/agent-spec.ts'],
    security: true,
    expected: { none: '[]', user: '[user]', project: '[project]', local: '[local]' },
    async observe(rig) {
      const files = {
        user: '.claude/settings.json',
        project: 'project/.claude/settings.json',
        local: 'project/.claude/settings.local.json',
      }
      for (const [name, file] of Object.entries(files)) await rig.write(file, { env: { FROM: name } })
      const from = (sources: string): Promise<string> => output(rig, { sources }, 'echo "[$FROM]"')
      return {
        none: await from(''),
        user: await from('user'),
        project: await from('project'),
        local: await from('local'),
      }
    },
  },
  {
    id: 'settings/host-wins',
    title: 'Variables in `--settings` win over those of every file',
    reliedOnBy: ['packages/server/src/credentials/provider-variables.ts'],
    security: true,
    expected: { seen: 'host', askedHere: true },
    async observe(rig) {
      await writeEverySettings(rig, { env: { FROM: 'file', ANTHROPIC_BASE_URL: elsewhere } })
      const env = { FROM: 'host', ANTHROPIC_BASE_URL: rig.model.url }
      const seen = await output(rig, { sources: 'user,project,local', settings: { env } }, 'echo "$FROM"')
      return { seen, askedHere: rig.asked.length > 0 }
    },
  },
  {
    id: 'settings/shell-prefix',
    title:
      'A settings file puts a program before every command by `CLAUDE_CODE_SHELL_PREFIX`, but where it is empty in `--settings`',
    reliedOnBy: settings,
    security: true,
    expected: { unsaid: ['prefix'], empty: [] },
    async observe(rig) {
      await writeEverySettings(rig, { env: { CLAUDE_CODE_SHELL_PREFIX: await rig.marker('prefix') } })
      const started = async (env: Record<string, string>): Promise<string[]> => {
        await rig.remove('prefix')
        await output(rig, { sources: 'user,project,local', settings: { env } }, 'true')
        return rig.which('prefix')
      }
      return { unsaid: await started({}), empty: await started({ CLAUDE_CODE_SHELL_PREFIX: '' }) }
    },
  },
  {
    id: 'settings/other-sessions',
    title:
      'What another session of the machine says begins a turn of its own, but with `crossSessionInbound: refuse` in `--settings`, whatever files say',
    reliedOnBy: settings,
    security: true,
    expected: { unsaid: 'delivered', refused: 'turned away' },
    async observe(rig) {
      await writeEverySettings(rig, { crossSessionInbound: 'accept' })
      const sentTo = async (settings: Frame): Promise<string> => {
        const receiver = await rig.start({ sources: 'user', settings, args: ['--name=receiver'] })
        await receiver.turn('go')
        const sender = await rig.start()
        const from = rig.asked.length
        rig.script(toolUse('SendMessage', { to: 'receiver', message: 'OF ANOTHER', summary: 's' }))
        await sender.turn('go')
        const heard = (text: string): boolean =>
          rig.asked.slice(from).some(({ lastUserText }) => lastUserText.includes(text))
        const delivered = '<cross-session-message'
        await rig.poll(() => heard(delivered) || heard('delivery notice'))
        await Promise.all([receiver.kill(), sender.kill()])
        return heard(delivered) ? 'delivered' : heard('was refused') ? 'turned away' : 'lost'
      }
      return { unsaid: await sentTo({}), refused: await sentTo({ crossSessionInbound: 'refuse' }) }
    },
  },
  {
    id: 'settings/skill-shell-off',
    title:
      '`disableSkillShellExecution` keeps commands in the text of skills and commands from running, whatever files say',
    reliedOnBy: settings,
    security: true,
    expected: { ranWithoutIt: ['command', 'skill'], ran: [] },
    async observe(rig) {
      const head = (name: string): string =>
        `---\nname: ${name}\ndescription: d\nallowed-tools: Bash(touch:*)\n---\n`
      const attempt = async (target: Rig, off: boolean): Promise<string[]> => {
        await writeEverySettings(target, { disableSkillShellExecution: false })
        await target.write('.claude/skills/sk/SKILL.md', `${head('sk')}!\`touch skill\`\n`)
        await target.write('.claude/commands/co.md', `${head('co')}!\`touch command\`\n`)
        const cli = await target.start({
          sources: 'user,project,local',
          settings: off ? { disableSkillShellExecution: true } : {},
        })
        await cli.turn('/sk')
        await cli.turn('/co')
        return ['command', 'skill'].filter((mark) => target.has(`project/${mark}`))
      }
      return { ranWithoutIt: await attempt(await rig.sibling(), false), ran: await attempt(rig, true) }
    },
  },
  {
    id: 'settings/listed-commands',
    title:
      '`initialize` lists skills by their head’s name, commands by their path, a skill before a command and the owner’s before a project’s; those that people cannot call are absent, and its own are marked `builtin`',
    reliedOnBy: [
      'packages/server/src/adapters/command-files/command-files.ts',
      'packages/server/src/core/commands/command-service.ts',
      'packages/server/src/core/commands/built-in-commands.ts',
      'packages/server/src/core/commands/read-command-text.ts',
      'packages/client/src/composer/commands.ts',
    ],
    expected: {
      listed: [
        'both: the skill (project) []',
        'folder: a folder (project) []',
        'own-name: a skill (project) [folder-name]',
        'plain: First line (project) []',
        'same: of the owner (user) []',
        'spoken: over two lines, it’s "said" (project) []',
        'sub:deep: d (project) []',
      ],
      builtIn: true,
    },
    async observe(rig) {
      const head = (description: string, more = ''): string =>
        `---\ndescription: ${description}\n${more}---\ntext\n`
      const project = 'project/.claude'
      await rig.write(`${project}/commands/both.md`, head('the command'))
      await rig.write(`${project}/skills/both/SKILL.md`, head('the skill'))
      await rig.write(`${project}/commands/folder/SKILL.md`, head('a folder'))
      await rig.write(`${project}/skills/folder-name/SKILL.md`, head('a skill', 'name: own-name\n'))
      await rig.write(`${project}/skills/nested/inner/SKILL.md`, head('too deep'))
      await rig.write(`${project}/commands/plain.md`, '# First line\n\nmore\n')
      await rig.write(`${project}/commands/sub/deep.md`, head('d', 'name: other\n'))
      const spoken = '"over two\n  lines, it’s \\"said\\"" # by somebody'
      await rig.write(`${project}/commands/spoken.md`, head(spoken))
      await rig.write(`${project}/commands/hidden.md`, head('d', 'user-invocable: false\n'))
      await rig.write(`${project}/commands/same.md`, head('of the project'))
      await rig.write('.claude/commands/same.md', head('of the owner'))
      const cli = await rig.start({ initialize: false, sources: 'user,project,local' })
      const { response } = await cli.ask('initialize')
      const commands: { name: string; description: string; aliases?: string[]; builtin?: boolean }[] =
        response.commands
      const own = commands.filter(({ builtin }) => builtin !== true)
      return {
        listed: own
          .map(({ name, description, aliases = [] }) => `${name}: ${description} [${aliases}]`)
          .sort(),
        builtIn: commands.some(({ name, builtin }) => name === 'compact' && builtin === true),
      }
    },
  },
  {
    id: 'settings/skill-grants',
    title:
      'A skill’s `allowed-tools` lets them run unasked for the turn; the host’s `ask` brings the question back',
    reliedOnBy: ['packages/server/src/adapters/claude/permission-options.ts'],
    security: true,
    expected: { typed: 0, nextTurn: 1, withAsk: 1 },
    async observe(rig) {
      await rig.write(
        '.claude/skills/sk/SKILL.md',
        '---\nname: sk\ndescription: d\nallowed-tools: Bash\n---\nsk\n',
      )
      const ask = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } }
      let verdict: Frame = {}
      const cli = await rig.start({ sources: 'user', hooks: { PreToolUse: () => verdict } })
      const asked = async (prompt: string, command: string): Promise<number> => {
        const before = cli.requests('can_use_tool').length
        rig.script(toolUse('Bash', { command }))
        await cli.turn(prompt)
        return cli.requests('can_use_tool').length - before
      }
      const typed = await asked('/sk', 'touch a')
      const nextTurn = await asked('next', 'touch b')
      verdict = ask
      return { typed, nextTurn, withAsk: await asked('/sk', 'touch c') }
    },
  },
  {
    id: 'settings/main-agent',
    title:
      'An `agent` in a settings file replaces prompt and tools of the session; where the file is no source, it does not',
    reliedOnBy: ['packages/server/src/core/sessions/agent-spec.ts'],
    security: true,
    expected: { asSource: { more: false, prompt: true }, asNone: { more: true, prompt: false } },
    async observe(rig) {
      await rig.write(
        '.claude/agents/boss.md',
        '---\nname: boss\ndescription: d\ntools: Read\n---\nYOU ARE BOSS\n',
      )
      await rig.write('.claude/settings.json', { agent: 'boss' })
      const inspect = async (sources: string): Promise<Frame> => {
        const cli = await rig.start({ sources })
        await cli.turn('go')
        const { toolNames, system } = rig.asked.at(-1) ?? { toolNames: [], system: '' }
        return { more: toolNames.length > 1, prompt: system.includes('YOU ARE BOSS') }
      }
      return { asSource: await inspect('user'), asNone: await inspect('') }
    },
  },
  {
    id: 'settings/initial-prompt',
    title:
      'An agent’s `initialPrompt` starts a turn by itself only where `--agent` names the agent, not by settings',
    reliedOnBy: ['packages/server/src/adapters/claude/agent.ts'],
    security: true,
    expected: { byArgument: ['START'], bySettings: ['go'] },
    async observe(rig) {
      await rig.write(
        '.claude/agents/ag.md',
        '---\nname: ag\ndescription: d\ninitialPrompt: START\n---\nag\n',
      )
      const named = await rig.start({ sources: 'user', args: ['--agent=ag'] })
      await named.state('idle')
      const byArgument = rig.asked.map((request) => request.lastUserText)
      await rig.write('.claude/settings.json', { agent: 'ag' })
      const cli = await rig.start({ sources: 'user' })
      await cli.turn('go')
      return { byArgument, bySettings: rig.asked.slice(1).map((request) => request.lastUserText) }
    },
  },
  {
    id: 'settings/unknown-agent',
    title:
      'A name that no agent has is ignored by `--agent` without a word: the answer to `initialize` lists who there is',
    reliedOnBy: ['packages/claude-code-agent/src/launch/arguments.ts'],
    expected: { result: 'success', known: false },
    async observe(rig) {
      const cli = await rig.start({ args: ['--agent=nobody'] })
      const { subtype: result } = await cli.turn('go')
      return { result, known: cli.all({ subtype: 'init' })[0].agents.includes('nobody') }
    },
  },
  {
    id: 'settings/effort',
    title: '`apply_flag_settings` lays an effort over those of the start, and null takes it away',
    reliedOnBy: ['packages/server/src/adapters/claude/agent.ts'],
    expected: { before: 'low', changed: 'medium', cleared: true },
    async observe(rig) {
      const cli = await rig.start({ args: ['--effort=low', '--model=claude-opus-4-5'] })
      const effort = async (): Promise<unknown> => {
        await cli.turn('go')
        return (rig.asked.at(-1)?.body.output_config as Frame)?.effort
      }
      const before = await effort()
      await cli.ask('apply_flag_settings', { settings: { effortLevel: 'medium' } })
      const changed = await effort()
      await cli.ask('apply_flag_settings', { settings: { effortLevel: null } })
      return { before, changed, cleared: !['low', 'medium'].includes(String(await effort())) }
    },
  },
  {
    id: 'settings/strict-servers',
    title: 'With `--strict-mcp-config` no server of a file, a project or a plugin starts',
    reliedOnBy: ['packages/server/src/adapters/claude/agent.ts'],
    security: true,
    expected: { startedWithoutIt: servers, started: [], listed: [] },
    async observe(rig) {
      const start = async (target: Rig, args: string[]): Promise<Cli> => {
        const entry = async (mark: string): Promise<Frame> => ({
          [mark]: { command: await target.marker(mark), args: [] },
        })
        await target.write('project/.mcp.json', { mcpServers: await entry('of-project') })
        const projects = { [target.cwd]: { mcpServers: await entry('of-folder') } }
        await target.write('.claude/.claude.json', { mcpServers: await entry('of-owner'), projects })
        await target.write('inline/.mcp.json', { mcpServers: await entry('of-plugin') })
        const cli = await target.start({
          sources: 'user,project,local',
          settings: { enableAllProjectMcpServers: true },
          args: [`--plugin-dir=${target.home}/inline`, ...args],
        })
        await cli.turn('go')
        return cli
      }
      const other = await rig.sibling()
      await start(other, [])
      const cli = await start(rig, ['--strict-mcp-config'])
      const { response } = await cli.ask('mcp_status')
      return {
        startedWithoutIt: other.which(...servers),
        started: rig.which(...servers),
        listed: response.mcpServers.map((one: Frame) => one.name),
      }
    },
  },
  {
    id: 'settings/servers-in-settings',
    title: '`mcpServers` in a settings file are ignored by the CLI',
    reliedOnBy: ['packages/server/src/adapters/mcp-files/read-sources.ts'],
    expected: { started: [] },
    async observe(rig) {
      const command = await rig.marker('settings-server')
      await rig.write('.claude/settings.json', { mcpServers: { s: { command, args: [] } } })
      const cli = await rig.start({ sources: 'user' })
      await cli.turn('go')
      return { started: rig.which('settings-server') }
    },
  },
]
