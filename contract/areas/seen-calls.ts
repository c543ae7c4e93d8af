/** That nothing runs of which the host's hook was not told before. */
import { reply, type Step, toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { namedTool, serverInfo, subagent, textResult, toolServer } from '../host-answers.ts'
import type { StartOptions } from '../rig.ts'

const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

/** Its tool `bad` fails; it has a resource. */
const server = (message: Frame): unknown => {
  const capabilities = { tools: {}, resources: {} }
  if (message.method === 'initialize') return { ...serverInfo, capabilities }
  if (message.method === 'resources/list') return { resources: [{ uri: 'a:b', name: 'r' }] }
  const call = ({ name }: Frame): Frame => ({ ...textResult(name), isError: name === 'bad' })
  return toolServer(() => [namedTool('t'), namedTool('bad')], call)(message)
}

const nested = toolUse('Bash', { command: 'echo nested' })
const failing = { file_path: 'a.txt', old_string: 'is not there', new_string: 'b' }

/** Turns with calls of every kind that has a way of its own through the CLI. */
const turns: Record<string, Step[]> = {
  '/forked': [nested],
  'forks and subagents': [
    ...[toolUse('Skill', { skill: 'forked' }), toolUse('Read', { file_path: 'a.txt' }), 'forked'],
    ...[subagent('general-purpose'), nested, 'the subagent is done'],
  ],
  servers: [
    ...[toolUse('mcp__s__t', {}), toolUse('mcp__s__bad', {}), toolUse('ListMcpResourcesTool', {})],
    toolUse('ToolSearch', { query: 'select:mcp__s__t' }),
  ],
  'an answer': [toolUse('StructuredOutput', { n: 'none' }), toolUse('StructuredOutput', { n: 1 })],
  'what fails': [toolUse('Bash', { command: 'exit 1' })],
  'own lists': [toolUse('TaskCreate', { subject: 's', description: 'd' })],
}

/** What cannot run: without what it needs, not there, closed by a rule, not to be done. */
const refused: Step[] = [
  ...[toolUse('Read', {}), toolUse('NoSuchTool', {}), toolUse('Read', { file_path: '/closed' })],
  toolUse('Edit', failing),
]

const atWork = 'AT WORK IN THE BACKGROUND'
const phases = "export const meta = { name: 'w', description: 'd', phases: [{ title: 'p' }] }; phase('p')"
/** In one answer: each begins turns of its own when it is over. */
const inBackground = reply([
  toolUse('Bash', { command: 'true', run_in_background: true }),
  toolUse('Monitor', { command: 'true', description: 'd', timeout_ms: 1000, persistent: false }),
  subagent('general-purpose', { prompt: atWork, run_in_background: true }),
  toolUse('Workflow', { script: `${phases}; return await agent('${atWork}')` }),
])

const options: StartOptions = {
  sources: 'user',
  args: ['--allow-dangerously-skip-permissions', `--json-schema=${JSON.stringify(schema)}`],
  env: { IS_SANDBOX: '1', ENABLE_TOOL_SEARCH: 'true', CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
  initialize: { jsonSchema: schema },
  settings: { permissions: { deny: ['Read(//closed)'] } },
  servers: { s: server },
}

export const seenCallCases: ContractCase[] = [
  {
    id: 'calls/seen-first',
    title:
      'Whatever runs, `PreToolUse` was told of it under the same id before `PostToolUse` or `PostToolUseFailure` is; of what cannot run none of them is told',
    reliedOnBy: [
      'packages/server/src/core/permissions/known-calls.ts',
      'packages/server/src/adapters/claude/permission-options.ts',
    ],
    security: true,
    expected: {
      unseen: [],
      ran: [
        ...['Agent', 'Bash', 'Bash of a subagent', 'ListMcpResourcesTool', 'Monitor', 'Read of a subagent'],
        ...['Skill', 'StructuredOutput', 'TaskCreate', 'ToolSearch', 'Workflow', 'mcp__s__t'],
      ],
      failed: ['Bash', 'StructuredOutput', 'mcp__s__bad'],
      inBackground: 2,
      refused: 0,
    },
    async observe(rig) {
      const before = new Set<string>()
      const [ran, failed, unseen] = [new Set<string>(), new Set<string>(), [] as string[]]
      let inBackgroundRan = 0
      const after =
        (names: Set<string>) =>
        ({ tool_use_id, tool_name, tool_input, agent_id }: Frame): Frame => {
          names.add(`${tool_name}${agent_id === undefined ? '' : ' of a subagent'}`)
          if (tool_input.command === `: ${atWork}`) inBackgroundRan++
          if (!before.has(tool_use_id)) unseen.push(tool_name)
          return {}
        }
      await rig.write('project/a.txt', 'a')
      const fork = '---\nname: forked\ndescription: d\ncontext: fork\n---\nforked\n'
      await rig.write('.claude/skills/forked/SKILL.md', fork)
      const cli = await rig.start({
        ...options,
        hooks: {
          PreToolUse: ({ tool_use_id }) => before.add(tool_use_id) && {},
          PostToolUse: after(ran),
          PostToolUseFailure: after(failed),
        },
      })
      await cli.ask('set_permission_mode', { mode: 'bypassPermissions' })
      for (const [content, steps] of Object.entries(turns)) {
        rig.script(...steps)
        await cli.turn(content)
      }
      const seen = before.size
      rig.script(...refused)
      await cli.turn('what cannot run')
      const told = before.size - seen
      rig.script(inBackground)
      rig.scriptBy(({ newText }) =>
        newText.includes(atWork) ? toolUse('Bash', { command: `: ${atWork}` }) : 'done',
      )
      cli.say('go')
      await rig.poll(() => inBackgroundRan === 2)
      return {
        unseen,
        ran: [...ran].sort(),
        failed: [...failed].sort(),
        inBackground: inBackgroundRan,
        refused: told,
      }
    },
  },
]
