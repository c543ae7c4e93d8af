/** What the host learns of a call: its turn, its agent and that agent's mode, and its input, the same wherever it is reported. */
import { reply, type ToolUseBlock, toolUse } from '@dorkos/testkit'
import { untilGoOn } from '../busy-turns.ts'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { namedTool, preToolUse, subagent, toolServer } from '../host-answers.ts'
import type { Rig, StartOptions } from '../rig.ts'

const gate = ['packages/server/src/adapters/claude/permission-options.ts']
const skillPrompts = ['packages/server/src/core/permissions/skill-prompts.ts']
const deny = (): Frame => ({ behavior: 'deny', message: 'no' })

interface PromptLog {
  hooks: NonNullable<StartOptions['hooks']>
  /** What was called, and in which prompt: the first that was reported is 1. */
  reported: string[]
}

function promptLog(): PromptLog {
  const reported: string[] = []
  const prompts: unknown[] = []
  const hook = ({ hook_event_name, tool_name, tool_input, agent_id, prompt_id }: Frame): Frame => {
    if (prompt_id !== undefined && !prompts.includes(prompt_id)) prompts.push(prompt_id)
    const what = tool_name === 'Bash' ? tool_input.command : (tool_name ?? hook_event_name)
    reported.push(
      `${prompts.indexOf(prompt_id) + 1}: ${what}${agent_id === undefined ? '' : ' of a subagent'}`,
    )
    return {}
  }
  return { hooks: { UserPromptExpansion: hook, PreToolUse: hook }, reported }
}

async function writeSkill(rig: Rig, more = ''): Promise<void> {
  await rig.write('.claude/skills/sk/SKILL.md', `---\nname: sk\ndescription: d\n${more}---\nsk\n`)
}

/**
 * A subagent begins in a turn with a skill, and makes its call when the next turn has made one. Gives in which prompt that was, and whether
 * the host was asked about it.
 */
async function lateCall(
  rig: Rig,
  skillUse: 'typed' | 'byTool' | 'bySubagent',
  grant = 'allowed-tools: Bash(touch:*)\n',
): Promise<Frame> {
  await writeSkill(rig, grant)
  const prompts: Frame = {}
  const hook = ({ tool_name, tool_input, prompt_id }: Frame): Frame => {
    prompts[tool_input.command ?? tool_name] = prompt_id
    return {}
  }
  const cli = await rig.start({ sources: 'user', hooks: { PreToolUse: hook } })
  const useSkill = toolUse('Skill', { skill: 'sk' })
  const steps = skillUse === 'bySubagent' ? [useSkill] : []
  rig.scriptBy(async ({ kind, newText }) => {
    if (kind !== 'subagent')
      return newText.includes('NEXT TURN') ? toolUse('Bash', { command: 'touch next' }) : 'done'
    const step = steps.shift()
    if (step || rig.has('project/late')) return step ?? 'done'
    await rig.poll(() => rig.has('project/next'))
    return toolUse('Bash', { command: 'touch late' })
  })
  const start = subagent('general-purpose', { run_in_background: true })
  rig.script(...(skillUse === 'byTool' ? [useSkill, start] : [start]))
  cli.say(skillUse === 'typed' ? '/sk' : 'go')
  await cli.result()
  cli.say('NEXT TURN')
  await rig.poll(() => rig.has('project/late'))
  const late = prompts['touch late']
  const names: Frame = { [prompts.Agent]: 'first', [prompts['touch next']]: 'next' }
  return {
    prompt: names[late],
    asked: cli.requests('can_use_tool').some(({ input }) => input.command === 'touch late'),
  }
}

/**
 * An agent that may edit unasked, between two calls of the main one, with each of these verdicts of the host's hook. Gives what the hook was
 * given, and who was asked about what.
 */
async function editingAgent(rig: Rig, verdicts: readonly Frame[]): Promise<Frame[]> {
  const frontmatter = '---\nname: ag\ndescription: d\npermissionMode: acceptEdits\n---\n'
  await rig.write('.claude/agents/ag.md', `${frontmatter}ag\n`)
  let reported: string[] = []
  let verdict: Frame
  const ids = new Set<string>()
  const cli = await rig.start({
    sources: 'user',
    permit: deny,
    hooks: {
      PreToolUse: ({ tool_name, agent_id, permission_mode }) => {
        if (tool_name === 'Agent') return {}
        if (agent_id !== undefined) ids.add(agent_id)
        reported.push(`${agent_id === undefined ? 'main' : 'subagent'}: ${permission_mode}`)
        return verdict
      },
    },
  })
  const write = (name: string) => toolUse('Write', { file_path: `${rig.cwd}/${name}`, content: 'x' })
  const seen: Frame[] = []
  for (const [n, each] of verdicts.entries()) {
    const before = cli.requests('can_use_tool').length
    reported = []
    verdict = each
    const inAgent = [subagent('ag'), write(`in-agent-${n}`), 'the subagent is done']
    rig.script(write(`before-${n}`), ...inAgent, write(`after-${n}`))
    await cli.turn('go')
    const asked = cli
      .requests('can_use_tool')
      .slice(before)
      .map(({ agent_id }) => (agent_id === undefined ? 'main' : ids.has(agent_id) ? 'subagent' : 'unknown'))
    seen.push({ reported, asked })
  }
  return seen
}

/** A Bash call in `dontAsk`, with a host that allows all that it is asked about. */
async function inDontAsk(rig: Rig, options: StartOptions): Promise<Frame> {
  await rig.remove('project/ran')
  const cli = await rig.start({ ...options, args: ['--permission-mode=dontAsk'] })
  rig.script(toolUse('Bash', { command: 'touch ran' }))
  await cli.turn('go')
  return { ran: rig.has('project/ran'), asked: cli.requests('can_use_tool').length }
}

/** Of each call: whether the hook and the question had the same. */
function sameInputs(cli: Cli): Frame {
  const hooks = cli.requests('hook_callback').map(({ input }) => input)
  return Object.fromEntries(
    cli.requests('can_use_tool').map(({ tool_name, tool_use_id, input }) => {
      const hook = hooks.find((one) => one.tool_use_id === tool_use_id)
      return [tool_name, JSON.stringify(hook?.tool_input) === JSON.stringify(input)]
    }),
  )
}

/** A reply with two calls at once. */
const twoCalls = (command: string): ToolUseBlock[] => [
  toolUse('Bash', { command }),
  toolUse('Bash', { command: `sleep 0; ${command}` }),
]

/** How many calls of a turn have a result when the turn has its own. */
async function resultsOf(
  rig: Rig,
  calls: ToolUseBlock[],
  { stopWhen, ...options }: StartOptions & { stopWhen?: (cli: Cli) => boolean },
): Promise<number> {
  const cli = await rig.start(options)
  rig.script(reply(calls))
  cli.say('go')
  if (stopWhen) {
    await rig.poll(() => stopWhen(cli))
    await cli.ask('interrupt')
  }
  await cli.result()
  const end = cli.frames.findIndex(({ type }) => type === 'result')
  const before = cli.frames.slice(0, end).filter(({ type }) => type === 'user')
  const blocks: Frame[] = before.flatMap(({ message }) =>
    Array.isArray(message.content) ? message.content : [],
  )
  return new Set(blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id))
    .size
}

export const callCases: ContractCase[] = [
  {
    id: 'calls/prompt-id',
    title:
      'A typed skill and every call of its turn, of subagents too, carry one `prompt_id`; the next turn another',
    reliedOnBy: skillPrompts,
    security: true,
    expected: {
      reported: [
        '1: UserPromptExpansion',
        '1: true one',
        '1: Agent',
        '1: true two of a subagent',
        '2: true three',
      ],
    },
    async observe(rig) {
      await writeSkill(rig)
      const { hooks, reported } = promptLog()
      const cli = await rig.start({ sources: 'user', hooks })
      rig.script(
        toolUse('Bash', { command: 'true one' }),
        subagent('general-purpose'),
        toolUse('Bash', { command: 'true two' }),
        'the subagent is done',
      )
      await cli.turn('/sk')
      rig.script(toolUse('Bash', { command: 'true three' }))
      await cli.turn('go')
      return { reported }
    },
  },
  {
    id: 'calls/skill-in-background',
    title:
      'A subagent in the background keeps what a skill granted past the turn, and then carries the `prompt_id` of the turn that runs: it alone does not say whether a skill is in use',
    reliedOnBy: skillPrompts,
    security: true,
    expected: {
      withoutGrant: { prompt: 'next', asked: true },
      typed: { prompt: 'next', asked: true },
      byTool: { prompt: 'next', asked: false },
      bySubagent: { prompt: 'next', asked: false },
    },
    async observe(rig) {
      return {
        withoutGrant: await lateCall(await rig.sibling(), 'byTool', ''),
        typed: await lateCall(await rig.sibling(), 'typed'),
        byTool: await lateCall(await rig.sibling(), 'byTool'),
        bySubagent: await lateCall(rig, 'bySubagent'),
      }
    },
  },
  {
    id: 'calls/agent-mode',
    title:
      'A call carries its agent’s own mode, and `agent_id` only where that is a subagent; the host’s `ask` counts there too',
    reliedOnBy: gate,
    security: true,
    expected: {
      unasked: {
        reported: ['main: default', 'subagent: acceptEdits', 'main: default'],
        asked: ['main', 'main'],
      },
      withAsk: {
        reported: ['main: default', 'subagent: acceptEdits', 'main: default'],
        asked: ['main', 'subagent', 'main'],
      },
    },
    async observe(rig) {
      const [unasked, withAsk] = await editingAgent(rig, [{}, preToolUse('ask')])
      return { unasked, withAsk }
    },
  },
  {
    id: 'calls/same-input',
    title: 'The hook and `can_use_tool` get the same input of a call, to the letter',
    reliedOnBy: ['packages/server/src/core/permissions/known-calls.ts'],
    security: true,
    expected: { Bash: true, Write: true, Edit: true, WebFetch: true, mcp__s__t: true },
    async observe(rig) {
      await rig.write('project/a.txt', 'old')
      const cli = await rig.start({
        permit: deny,
        hooks: { PreToolUse: () => ({}) },
        servers: { s: toolServer(() => [namedTool('t')]) },
      })
      rig.script(
        toolUse('Read', { file_path: `${rig.cwd}/a.txt` }),
        toolUse('Bash', {
          description: 'd',
          timeout: '1000',
          command: '  touch x ',
          run_in_background: 'false',
        }),
        toolUse('Write', { content: 'x\r\n', file_path: 'b/../b.txt' }),
        toolUse('Edit', {
          replace_all: 'true',
          new_string: 'new \n',
          old_string: 'old',
          file_path: `${rig.cwd}/./a.txt`,
        }),
        toolUse('WebFetch', { prompt: 'p', url: 'http://example.test/a/../b' }),
        toolUse('mcp__s__t', { z: 1, a: { y: null, b: '2' } }),
      )
      await cli.turn('go')
      return sameInputs(cli)
    },
  },
  {
    id: 'calls/dont-ask',
    title:
      '`dontAsk` denies a command and asks nobody, unless a rule of the host’s settings or its hook allows it; the hook’s `ask` still asks',
    reliedOnBy: ['packages/server/src/core/permissions/session-permissions.ts'],
    expected: {
      plain: { ran: false, asked: 0 },
      byRule: { ran: true, asked: 0 },
      byHook: { ran: true, asked: 0 },
      withAsk: { ran: true, asked: 1 },
    },
    async observe(rig) {
      return {
        plain: await inDontAsk(rig, {}),
        byRule: await inDontAsk(rig, { settings: { permissions: { allow: ['Bash'] } } }),
        byHook: await inDontAsk(rig, { hooks: { PreToolUse: () => preToolUse('allow') } }),
        withAsk: await inDontAsk(rig, { hooks: { PreToolUse: () => preToolUse('ask') } }),
      }
    },
  },
  {
    id: 'calls/results',
    title: 'Every call that the host’s hook saw has a result before its turn’s, however the call ended',
    reliedOnBy: ['packages/server/src/core/permissions/known-calls.ts'],
    expected: { ran: 1, denied: 1, stoppedWhileAsked: 2, stoppedWhileRunning: 2 },
    async observe(rig) {
      const [asked, running] = [await rig.sibling(), await rig.sibling()]
      return {
        ran: await resultsOf(rig, [toolUse('Bash', { command: 'true' })], {}),
        denied: await resultsOf(rig, [toolUse('Bash', { command: 'true' })], {
          hooks: { PreToolUse: () => preToolUse('deny') },
        }),
        stoppedWhileAsked: await resultsOf(asked, twoCalls('true'), {
          hooks: { PreToolUse: () => ({}) },
          permit: () => undefined,
          stopWhen: (cli) => cli.requests('can_use_tool').length > 0,
        }),
        stoppedWhileRunning: await resultsOf(running, twoCalls(`touch began; ${untilGoOn}`), {
          hooks: { PreToolUse: () => ({}) },
          stopWhen: () => running.has('project/began'),
        }),
      }
    },
  },
]
