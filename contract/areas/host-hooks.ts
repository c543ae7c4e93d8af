/** The host's own hooks: that they see every call, in which order, and what their answers do. */
import { apiError, toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { namedTool, preToolUse, subagent, toolServer } from '../host-answers.ts'
import type { Rig, StartOptions } from '../rig.ts'

const gate = ['packages/server/src/adapters/claude/permission-options.ts']
const registry = ['packages/claude-code-agent/src/protocol/hook-registry.ts']

/** As the server starts every session that may be switched to bypass. */
const mayBypass: StartOptions = { args: ['--allow-dangerously-skip-permissions'], env: { IS_SANDBOX: '1' } }

const call = 'permission_mode tool_input tool_name'
const subject = 'task_description task_id task_subject'
const switched = 'from_model requested_model source to_model'

/** The events that reach a host without a terminal, and what each is given. More fields do no harm. */
const reported: Record<string, string> = {
  PreToolUse: `${call} tool_use_id`,
  PermissionRequest: `${call} permission_suggestions`,
  PostToolUse: `${call} tool_response tool_use_id`,
  PostToolUseFailure: `${call} error is_interrupt tool_use_id`,
  PostToolBatch: 'tool_calls',
  UserPromptSubmit: 'permission_mode prompt',
  UserPromptExpansion: 'command_args command_name command_source expansion_type prompt',
  Stop: 'background_tasks last_assistant_message session_crons stop_hook_active',
  StopFailure: 'error last_assistant_message',
  SubagentStart: 'agent_id agent_type',
  SubagentStop: 'agent_id agent_transcript_path agent_type last_assistant_message',
  SessionStart: 'model source',
  SessionEnd: 'reason',
  PreCompact: 'custom_instructions trigger',
  PostCompact: 'compact_summary trigger',
  PreModelSwitch: switched,
  PostModelSwitch: switched,
  TaskCreated: subject,
  TaskCompleted: subject,
  ConfigChange: 'file_path source',
  InstructionsLoaded: 'file_path load_reason memory_type',
  MessageDisplay: 'delta final index message_id turn_id',
}

/** A hook of the host for each of these events. `heard` has what each was given, of what is expected. */
function listeners(): { hooks: NonNullable<StartOptions['hooks']>; heard: Record<string, string> } {
  const heard: Record<string, string> = {}
  const listen = (input: Frame): Frame => {
    const event = input.hook_event_name
    const before = heard[event]?.split(' ') ?? []
    const fields = reported[event]?.split(' ') ?? []
    heard[event] = fields.filter((name) => name in input || before.includes(name)).join(' ')
    return {}
  }
  return { hooks: Object.fromEntries(Object.keys(reported).map((event) => [event, listen])), heard }
}

async function setMode(cli: Cli, mode: string): Promise<void> {
  const answer = await cli.ask('set_permission_mode', { mode })
  if (answer.subtype !== 'success') throw new Error(`${mode} was refused: ${answer.error}`)
}

const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']

/** A Bash call in each mode, decided by this hook of the host. Gives the mode that the hook was given. */
async function callInEveryMode(rig: Rig, verdict: Frame, permit: StartOptions['permit']): Promise<Frame> {
  const seen: string[] = []
  const cli = await rig.start({
    ...mayBypass,
    ...(permit && { permit }),
    hooks: {
      PreToolUse: (input) => {
        seen.push(input.permission_mode)
        return verdict
      },
    },
  })
  for (const mode of modes) {
    await setMode(cli, mode)
    rig.script(toolUse('Bash', { command: `touch ${mode}` }))
    await cli.turn('go')
  }
  return {
    seen,
    ran: rig.which(...modes.map((mode) => `project/${mode}`)),
    asked: cli.requests('can_use_tool').length,
  }
}

export const hostHookCases: ContractCase[] = [
  {
    id: 'host-hooks/every-mode',
    title: 'The host’s `PreToolUse` hook sees every call, in every mode, and its `deny` holds',
    reliedOnBy: gate,
    security: true,
    expected: { seen: modes, ran: [], asked: 0 },
    observe: (rig) => callInEveryMode(rig, preToolUse('deny'), undefined),
  },
  {
    id: 'host-hooks/ask-in-every-mode',
    title: 'Its `ask` brings the question to the host in every mode',
    reliedOnBy: gate,
    security: true,
    expected: { seen: modes, ran: [], asked: 5 },
    observe: (rig) => callInEveryMode(rig, preToolUse('ask'), () => ({ behavior: 'deny', message: 'no' })),
  },
  {
    id: 'host-hooks/allow-in-every-mode',
    title: 'Its `allow` runs a command that writes without a question, but not in `plan`',
    reliedOnBy: gate,
    expected: {
      seen: modes,
      ran: modes.filter((mode) => mode !== 'plan').map((mode) => `project/${mode}`),
      asked: 0,
    },
    observe: (rig) =>
      callInEveryMode(rig, preToolUse('allow'), () => ({ behavior: 'deny', message: 'the host says no' })),
  },
  {
    id: 'host-hooks/order',
    title:
      'The hook comes first, then `can_use_tool`, then the host’s `PermissionRequest`; all get the same input',
    reliedOnBy: gate,
    security: true,
    expected: { order: ['PreToolUse', 'can_use_tool', 'PermissionRequest'], sameInput: true, sameId: true },
    async observe(rig) {
      const seen: { who: string; input: Frame; id: string | undefined }[] = []
      const hook = (input: Frame): Frame => {
        seen.push({ who: input.hook_event_name, input: input.tool_input, id: input.tool_use_id })
        return {}
      }
      const cli = await rig.start({
        hooks: { PreToolUse: hook, PermissionRequest: hook },
        permit: ({ input, tool_use_id }) => {
          seen.push({ who: 'can_use_tool', input, id: tool_use_id })
          return { behavior: 'allow', updatedInput: input }
        },
      })
      await rig.write('project/a.txt', 'old')
      rig.script(
        toolUse('Read', { file_path: `${rig.cwd}/a.txt` }),
        toolUse('Edit', { file_path: `${rig.cwd}/a.txt`, old_string: 'old', new_string: 'new' }),
      )
      await cli.turn('go')
      // The first call is one to read, which nobody is asked about.
      const edit = seen.slice(1)
      return {
        order: edit.map(({ who }) => who),
        sameInput: new Set(edit.map(({ input }) => JSON.stringify(input))).size === 1,
        sameId: edit[0]?.id !== undefined && edit[0].id === edit[1]?.id,
      }
    },
  },
  {
    id: 'host-hooks/afterwards',
    title:
      '`PostToolUse` and `PostToolUseFailure` report every call that ran with the input that `PreToolUse` had, or the host put instead; neither comes for one that was denied',
    reliedOnBy: ['packages/server/src/core/permissions/session-permissions.ts', ...gate],
    security: true,
    expected: {
      received: [
        ...['Read: same', 'Edit: same', 'Write: same', 'Bash: same', 'Bash: same', 'Bash: same'],
        ...['mcp__s__t: same', 'Agent: same', 'WebFetch: same', 'Skill: same'],
        'Bash: touch changed',
      ],
    },
    async observe(rig) {
      const before = new Map<string, string>()
      const received: string[] = []
      const after = ({ tool_use_id, tool_name, tool_input }: Frame): Frame => {
        const isSame = before.get(tool_use_id) === JSON.stringify(tool_input)
        received.push(`${tool_name}: ${isSame ? 'same' : (tool_input.command ?? 'another')}`)
        return {}
      }
      await rig.write('project/a.txt', 'old “quoted”\n')
      await rig.write('.claude/skills/sk/SKILL.md', '---\nname: sk\ndescription: d\n---\nsk\n')
      const cli = await rig.start({
        sources: 'user',
        servers: { s: toolServer(() => [namedTool('t')]) },
        hooks: {
          PreToolUse: ({ tool_use_id, tool_input }) => {
            before.set(tool_use_id, JSON.stringify(tool_input))
            return tool_input.command === 'touch denied' ? preToolUse('deny') : {}
          },
          PostToolUse: after,
          PostToolUseFailure: after,
        },
        permit: ({ input }) =>
          input.command === 'touch refused'
            ? { behavior: 'deny', message: 'no' }
            : {
                behavior: 'allow',
                updatedInput: input.command === 'touch asked' ? { command: 'touch changed' } : input,
              },
      })
      rig.script(
        // As models write them: paths that are not whole, quotes that are not the file's, spaces around.
        toolUse('Read', { file_path: 'a.txt' }),
        toolUse('Edit', { file_path: 'a.txt', old_string: 'old "quoted"', new_string: 'new' }),
        toolUse('Write', { file_path: './b.txt', content: 'b  \n' }),
        toolUse('Bash', { command: ' echo a\\;b', timeout: '1000' }),
        toolUse('Bash', { command: 'exit 3', description: 'fails' }),
        toolUse('Bash', { command: 'sleep 0', run_in_background: true }),
        toolUse('mcp__s__t', { any: { thing: [1] } }),
        subagent('general-purpose'),
        'the subagent is done',
        toolUse('WebFetch', { url: 'http://127.0.0.1:9/', prompt: 'p' }),
        toolUse('Skill', { skill: 'sk' }),
        ...['denied', 'refused', 'asked'].map((name) => toolUse('Bash', { command: `touch ${name}` })),
      )
      await cli.turn('go')
      return { received }
    },
  },
  {
    id: 'host-hooks/changed-input',
    title: 'What the host’s hook puts in place of the input is what runs, in bypass too',
    reliedOnBy: gate,
    security: true,
    expected: { ran: ['project/changed'] },
    async observe(rig) {
      const updatedInput = { command: 'touch changed' }
      const cli = await rig.start({
        ...mayBypass,
        hooks: { PreToolUse: () => preToolUse('allow', { updatedInput }) },
      })
      await setMode(cli, 'bypassPermissions')
      rig.script(toolUse('Bash', { command: 'touch original' }))
      await cli.turn('go')
      return { ran: rig.which('project/original', 'project/changed') }
    },
  },
  {
    id: 'host-hooks/ask-dropped-in-bypass',
    title:
      'In bypass an `ask` about a file that the CLI itself protects is dropped: the question is asked in the hook',
    reliedOnBy: gate,
    security: true,
    expected: { asked: 0, written: true },
    async observe(rig) {
      const cli = await rig.start({ ...mayBypass, hooks: { PreToolUse: () => preToolUse('ask') } })
      await setMode(cli, 'bypassPermissions')
      rig.script(toolUse('Write', { file_path: `${rig.cwd}/.claude/settings.json`, content: '{}' }))
      await cli.turn('go')
      return { asked: cli.requests('can_use_tool').length, written: rig.has('project/.claude/settings.json') }
    },
  },
  {
    id: 'host-hooks/subagents',
    title: 'It sees the calls of subagents, with their id and type',
    reliedOnBy: gate,
    security: true,
    expected: { reported: [{ tool: 'Agent' }, { tool: 'Bash', agent: 'ag', hasId: true }], ran: [] },
    async observe(rig) {
      const reported: Frame[] = []
      const hook = ({ tool_name: tool, agent_type: agent, agent_id }: Frame): Frame => {
        reported.push({ tool, agent, ...(agent_id && { hasId: true }) })
        return tool === 'Bash' ? preToolUse('deny') : {}
      }
      const agents = { ag: { description: 'd', prompt: 'p' } }
      const cli = await rig.start({ initialize: { agents }, hooks: { PreToolUse: hook } })
      rig.script(subagent('ag'), toolUse('Bash', { command: 'touch ran' }))
      await cli.turn('go')
      return { reported, ran: rig.which('project/ran') }
    },
  },
  {
    id: 'host-hooks/failure-blocks',
    title: 'A hook that fails, or is not answered in time, denies the call where it says `onFailure: block`',
    reliedOnBy: gate,
    security: true,
    expected: { failed: 'denied', late: 'denied' },
    async observe(rig) {
      const matcher = { hookCallbackIds: ['blocking'], timeout: 1, onFailure: 'block' }
      let hook: (id: string) => void = () => undefined
      const cli = await rig.start({
        ...mayBypass,
        initialize: { hooks: { PreToolUse: [matcher] } },
        hooks: { blocking: () => undefined },
        onRequest: (request, id) => {
          if (request.subtype === 'hook_callback') hook(id)
        },
      })
      await setMode(cli, 'bypassPermissions')
      const call = async (mark: string, answer: (id: string) => void): Promise<string> => {
        hook = answer
        rig.script(toolUse('Bash', { command: `touch ${mark}` }))
        await cli.turn('go')
        return rig.has(`project/${mark}`) ? 'ran' : 'denied'
      }
      return {
        failed: await call('failed', (id) => cli.refuse(id, 'the hook threw')),
        late: await call('late', () => undefined),
      }
    },
  },
  {
    id: 'host-hooks/failure-continues',
    title: 'Without it, a hook that fails lets the call pass, and the CLI says so',
    reliedOnBy: registry,
    expected: { ran: true, reported: ['hook_callback_failed'] },
    async observe(rig) {
      let cli: Cli | undefined
      cli = await rig.start({
        hooks: { PreToolUse: () => undefined },
        onRequest: (request, id) => {
          if (request.subtype === 'hook_callback') cli?.refuse(id, 'the hook threw')
        },
      })
      rig.script(toolUse('Bash', { command: 'touch ran' }))
      await cli.turn('go')
      return {
        ran: rig.has('project/ran'),
        reported: cli.all({ subtype: 'informational' }).map((frame) => frame.tag),
      }
    },
  },
  {
    id: 'host-hooks/matchers',
    title:
      'A matcher of names between bars or commas matches whole names, anything else is a regular expression',
    reliedOnBy: registry,
    expected: { called: ['B.*', 'Bash', 'Bash,Write', 'Bash|Write'] },
    async observe(rig) {
      const matchers = ['Bash', 'Bas', 'Bash|Write', 'Bash,Write', 'B.*', 'bash']
      const called = new Set<string>()
      const hooks = Object.fromEntries(matchers.map((matcher) => [matcher, () => called.add(matcher) && {}]))
      const PreToolUse = matchers.map((matcher) => ({ matcher, hookCallbackIds: [matcher] }))
      const cli = await rig.start({ initialize: { hooks: { PreToolUse } }, hooks })
      rig.script(toolUse('Bash', { command: 'true' }))
      await cli.turn('go')
      return { called: [...called].sort() }
    },
  },
  {
    id: 'host-hooks/events',
    title: 'These events reach a host without a terminal, with these fields; `SessionStart` not at the start',
    reliedOnBy: [
      'packages/claude-code-agent/src/hooks.ts',
      'packages/claude-code-agent/src/session/lifecycle-hooks.ts',
    ],
    expected: { atStart: false, ...reported },
    async observe(rig) {
      const { hooks, heard } = listeners()
      await rig.write('project/CLAUDE.md', 'a project')
      await rig.write('project/.claude/commands/c.md', '---\ndescription: d\n---\ntext\n')
      await rig.write('project/.claude/settings.json', {})
      const cli = await rig.start({ sources: 'project', hooks, env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' } })
      rig.script(
        toolUse('Write', { file_path: `${rig.cwd}/w`, content: 'w' }),
        toolUse('Read', { file_path: `${rig.cwd}/nowhere` }),
        subagent('general-purpose'),
        'the subagent is done',
        toolUse('TaskCreate', { subject: 's', description: 'd' }),
        toolUse('TaskUpdate', { taskId: '1', status: 'completed' }),
      )
      await cli.turn('go')
      const atStart = 'SessionStart' in heard
      await cli.turn('/c')
      await cli.ask('set_model', { model: 'haiku' })
      await cli.turn('/compact')
      await rig.write('project/.claude/settings.json', { model: 'opus' })
      await rig.poll(() => 'ConfigChange' in heard)
      await cli.turn('/clear')
      rig.scriptBy(() => apiError(400, 'bad'))
      await cli.turn('fail')
      await rig.poll(() => Object.keys(reported).every((event) => event in heard))
      return { atStart, ...heard }
    },
  },
]
