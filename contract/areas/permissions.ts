/** What rules, modes and agents allow, unasked or not at all. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { preToolUse, subagent } from '../host-answers.ts'
import type { Rig, StartOptions } from '../rig.ts'

const gate = ['packages/server/src/adapters/claude/permission-options.ts']
const settings = ['packages/server/src/adapters/claude/agent-settings.ts']
const bypass: StartOptions = {
  args: ['--allow-dangerously-skip-permissions', '--permission-mode=bypassPermissions'],
  env: { IS_SANDBOX: '1' },
}

/** One Bash call with this host. */
async function bash(rig: Rig, options: StartOptions = {}, command = 'touch ran'): Promise<Cli> {
  const cli = await rig.start(options)
  rig.script(toolUse('Bash', { command }))
  await cli.turn('go')
  return cli
}

const toolsAsked = (cli: Cli): string[] => cli.requests('can_use_tool').map((request) => request.tool_name)
const lastResult = (rig: Rig): string => rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''

/** A call of an agent with this mode in its frontmatter. */
async function agentInMode(rig: Rig, mode: string, options: StartOptions = {}): Promise<Frame> {
  await rig.write('.claude/agents/ag.md', `---\nname: ag\ndescription: d\npermissionMode: ${mode}\n---\nag\n`)
  const seen: string[] = []
  const hook = ({ agent_id, permission_mode }: Frame): Frame => {
    if (agent_id !== undefined) seen.push(permission_mode)
    return {}
  }
  const cli = await rig.start({ sources: 'user', hooks: { PreToolUse: hook }, ...options })
  rig.script(subagent('ag'), toolUse('Bash', { command: 'touch ran' }))
  await cli.turn('go')
  await cli.end()
  return { seen, asked: toolsAsked(cli) }
}

export const permissionCases: ContractCase[] = [
  {
    id: 'permissions/deny-rules',
    title:
      'Deny rules of `--settings` with two slashes bind the file tools, in bypass too; with one they do nothing',
    reliedOnBy: settings,
    security: true,
    expected: {
      twoSlashes: { read: false, written: false, hook: [] },
      oneSlash: { read: true, written: true },
    },
    async observe(rig) {
      const folders = { two: `/${rig.home}/two`, one: `${rig.home}/one` }
      const deny = Object.values(folders).flatMap((path) => [`Read(${path}/**)`, `Edit(${path}/**)`])
      let hook: string[] = []
      const cli = await rig.start({
        ...bypass,
        settings: { permissions: { deny } },
        hooks: { PreToolUse: (input) => hook.push(input.tool_name) && {} },
      })
      const attempt = async (folder: string): Promise<Frame> => {
        await rig.write(`${folder}/a.txt`, `SECRET-${folder}`)
        hook = []
        rig.script(
          toolUse('Read', { file_path: `${rig.home}/${folder}/a.txt` }),
          toolUse('Write', { file_path: `${rig.home}/${folder}/b.txt`, content: 'x' }),
        )
        await cli.turn('go')
        const read = rig.asked.some((request) => request.newText.includes(`SECRET-${folder}`))
        return { read, written: rig.has(`${folder}/b.txt`), hook }
      }
      const twoSlashes = await attempt('two')
      const { read, written } = await attempt('one')
      return { twoSlashes, oneSlash: { read, written } }
    },
  },
  {
    id: 'permissions/deny-patterns',
    title:
      'Patterns of deny rules know classes and escapes, take no account of case, and reach through links',
    reliedOnBy: settings,
    security: true,
    expected: { written: ['config/plans/p.md', 'config/plans2'] },
    async observe(rig) {
      const root = `/${rig.home}/config`
      const deny = [`Edit(${root}/[abc]*)`, `Edit(${root}/odd\\[1\\]name)`, `Edit(${root}/folder/**)`]
      await rig.write('config/folder/old', 'x')
      await rig.link('config/folder', 'project/link')
      const cli = await rig.start({ ...bypass, settings: { permissions: { deny } } })
      const files = [
        'config/agents',
        'config/Agents',
        'config/odd[1]name',
        'config/plans/p.md',
        'config/plans2',
      ]
      const paths = [...files, 'config/folder/deep/new', 'project/link/new']
      rig.script(...paths.map((path) => toolUse('Write', { file_path: `${rig.home}/${path}`, content: 'x' })))
      await cli.turn('go')
      return { written: rig.which(...paths) }
    },
  },
  {
    id: 'permissions/web-fetch-deny',
    title: 'A deny rule keeps WebFetch from a domain, in bypass too',
    reliedOnBy: settings,
    security: true,
    expected: { fetched: false, denied: true },
    async observe(rig) {
      const settingsOfHost = {
        permissions: { deny: ['WebFetch(domain:127.0.0.1)'] },
        skipWebFetchPreflight: true,
      }
      const cli = await rig.start({ ...bypass, settings: settingsOfHost })
      rig.script(toolUse('WebFetch', { url: `${rig.model.url}/fetched`, prompt: 'p' }))
      await cli.turn('go')
      return { fetched: lastResult(rig).includes('not_found'), denied: /denied/i.test(lastResult(rig)) }
    },
  },
  {
    id: 'permissions/allow-rules',
    title: 'An allow rule of a file lets a call run unasked; the host’s `ask` brings the question back',
    reliedOnBy: gate,
    security: true,
    expected: { byRule: [], withAsk: ['Bash'] },
    async observe(rig) {
      await rig.write('.claude/settings.json', { permissions: { allow: ['Bash'] } })
      let verdict: Frame = {}
      const cli = await bash(rig, { sources: 'user', hooks: { PreToolUse: () => verdict } })
      const byRule = toolsAsked(cli)
      verdict = preToolUse('ask')
      rig.script(toolUse('Bash', { command: 'touch ran' }))
      await cli.turn('go')
      return { byRule, withAsk: toolsAsked(cli) }
    },
  },
  {
    id: 'permissions/idle-rules',
    title:
      'Allow rules `*` and `mcp__*` allow nothing; `Bash(*)` and a server’s name, alone or with `__*`, allow all of it',
    reliedOnBy: ['packages/claude-code-agent/src/launch/never-asked.ts'],
    expected: { idle: ['Bash', 'mcp__s__t', 'mcp__z__t'], named: [] },
    async observe(rig) {
      const asked = async (rules: string): Promise<string[]> => {
        const cli = await rig.start({ args: [`--allowedTools=${rules}`], servers: { s: server, z: server } })
        rig.script(
          toolUse('Bash', { command: 'touch x' }),
          ...['mcp__s__t', 'mcp__z__t'].map((name) => toolUse(name, {})),
        )
        await cli.turn('go')
        return toolsAsked(cli)
      }
      return { idle: await asked('*,mcp__*'), named: await asked('Bash(*),mcp__s,mcp__z__*') }
    },
  },
  {
    id: 'permissions/deny-all',
    title: 'A deny rule `*` takes all tools away from the model, also those of servers',
    reliedOnBy: ['packages/claude-code-agent/src/launch/never-asked.ts'],
    since: {
      version: '2.1.324',
      withoutIt: 'Tools of servers stay; the SDK then warns wrongly that there are none.',
    },
    expected: { offered: [] },
    async observe(rig) {
      const cli = await rig.start({ args: ['--disallowedTools=*'], servers: { s: server } })
      await cli.turn('go')
      return { offered: rig.asked[0]?.toolNames }
    },
  },
  {
    id: 'permissions/disallowed-tools',
    title:
      '`--disallowedTools` takes tools away from the model: those that act later, and those of other sessions',
    reliedOnBy: settings,
    security: true,
    expected: { offered: [] },
    async observe(rig) {
      const tools = ['CronCreate', 'CronDelete', 'CronList', 'ScheduleWakeup', 'SendMessage', 'ListAgents']
      const cli = await rig.start({ args: [`--disallowedTools=${tools.join(',')}`] })
      await cli.turn('go')
      return { offered: tools.filter((tool) => rig.asked[0]?.toolNames.includes(tool)) }
    },
  },
  {
    id: 'permissions/modes',
    title:
      'What each mode lets run unasked: nothing in default and plan, edits and some commands in acceptEdits',
    reliedOnBy: ['packages/server/src/core/permissions/decide.ts'],
    security: true,
    expected: {
      default: { asked: ['Bash', 'Write', 'Write', 'mcp__s__t'] },
      acceptEdits: { asked: ['Write', 'mcp__s__t'] },
      plan: { asked: ['Bash', 'Write', 'Write', 'mcp__s__t'] },
      dontAsk: { asked: [] },
      bypassPermissions: { asked: [] },
    },
    async observe(rig) {
      const cli = await rig.start({
        args: ['--allow-dangerously-skip-permissions'],
        env: { IS_SANDBOX: '1' },
        // Otherwise a request to the model decides about commands in plan mode.
        settings: { useAutoModeDuringPlan: false, disableAutoMode: 'disable' },
        servers: { s: server },
        permit: () => ({ behavior: 'deny', message: 'no' }),
      })
      const seen: Frame = {}
      for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']) {
        await cli.ask('set_permission_mode', { mode })
        const before = cli.requests('can_use_tool').length
        rig.script(
          toolUse('Bash', { command: 'rm -rf build' }),
          toolUse('Write', { file_path: `${rig.cwd}/${mode}`, content: 'x' }),
          toolUse('Write', { file_path: `${rig.home}/outside-${mode}`, content: 'x' }),
          toolUse('mcp__s__t', {}),
        )
        await cli.turn('go')
        seen[mode] = { asked: toolsAsked(cli).slice(before) }
      }
      return seen
    },
  },
  {
    id: 'permissions/mode-change',
    title: 'A mode is changed by request; bypass only where the start allowed it, and no unknown one',
    reliedOnBy: ['packages/claude-code-agent/src/session/session.ts'],
    security: true,
    expected: {
      changed: 'acceptEdits',
      reported: 'acceptEdits',
      bypass: 'bypass_not_launched',
      unknown: 'invalid_mode',
    },
    async observe(rig) {
      const cli = await rig.start({ env: { IS_SANDBOX: '1' } })
      const changed = await cli.ask('set_permission_mode', { mode: 'acceptEdits' })
      const status = await cli.frame({ subtype: 'status', permissionMode: 'acceptEdits' })
      return {
        changed: changed.response?.mode,
        reported: status.permissionMode,
        bypass: (await cli.ask('set_permission_mode', { mode: 'bypassPermissions' })).error_code,
        unknown: (await cli.ask('set_permission_mode', { mode: 'nonsense' })).error_code,
      }
    },
  },
  {
    id: 'permissions/auto-mode-off',
    title: '`disableAutoMode` in `--settings` keeps a session out of auto mode',
    reliedOnBy: settings,
    security: true,
    expected: { refused: true },
    async observe(rig) {
      const cli = await rig.start({ settings: { disableAutoMode: 'disable' } })
      return { refused: (await cli.ask('set_permission_mode', { mode: 'auto' })).subtype === 'error' }
    },
  },
  {
    id: 'permissions/agent-bypass',
    title:
      'An agent’s `permissionMode: bypassPermissions` does not count, even where the session could bypass',
    reliedOnBy: gate,
    security: true,
    expected: { seen: ['default'], asked: ['Bash'] },
    observe: (rig) =>
      agentInMode(rig, 'bypassPermissions', {
        args: ['--allow-dangerously-skip-permissions'],
        env: { IS_SANDBOX: '1' },
      }),
  },
  {
    id: 'permissions/agent-accept-edits',
    title: 'An agent’s `permissionMode: acceptEdits` counts, and the hook is given that mode',
    reliedOnBy: gate,
    security: true,
    expected: { seen: ['acceptEdits'], asked: [] },
    observe: (rig) => agentInMode(rig, 'acceptEdits'),
  },
]

function server({ method }: Frame): Frame {
  if (method === 'tools/list') return { tools: [{ name: 't', inputSchema: { type: 'object' } }] }
  if (method === 'tools/call') return { content: [] }
  return {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  }
}
