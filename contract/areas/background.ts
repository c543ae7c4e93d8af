/** Work that goes on after a turn, and turns that begin by themselves. */
import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { toolUse } from '@dorkos/testkit'
import { cutOffTurn, untilGoOn } from '../busy-turns.ts'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { subagent } from '../host-answers.ts'
import type { Rig, StartOptions } from '../rig.ts'
import { writeScheduledTask } from '../scheduled-task.ts'

const machine = ['packages/claude-code-agent/src/session/state-machine.ts']
const prompts = ['packages/server/src/core/sessions/prompt-causes.ts']
const variables = ['packages/claude-code-agent/src/launch/undocumented-variables.ts']
const states = (cli: Cli): string[] =>
  cli.all({ subtype: 'session_state_changed' }).map((frame) => frame.state)

/** A command in the background that ends when `project/go-on` is there. */
async function backgroundCommand(rig: Rig, more: Record<string, unknown> = {}): Promise<Cli> {
  const cli = await rig.start({ initialize: more })
  rig.script(toolUse('Bash', { command: `echo printed; ${untilGoOn}`, run_in_background: true }))
  await cli.turn('go')
  return cli
}

const actedByItself = (rig: Rig, from = 0): boolean =>
  rig.asked.slice(from).some((request) => request.newText.includes('BY ITSELF'))

/** Starts a process whose prompts are noted. News of a task that was announced are named so. */
async function withPrompts(rig: Rig, options: StartOptions = {}): Promise<{ cli: Cli; seen: string[] }> {
  const seen: string[] = []
  const hear = ({ prompt }: Frame): Frame => {
    const task = /^<task-notification>\s*<task-id>([^<]*)<\/task-id>/.exec(prompt)?.[1]
    const known = cli.all({ subtype: 'task_started' }).map(({ task_id }) => task_id)
    seen.push(known.includes(task) ? 'news of the task' : prompt)
    return {}
  }
  const cli: Cli = await rig.start({ ...options, hooks: { UserPromptSubmit: hear } })
  return { cli, seen }
}

/** Each gives the prompts that were seen. */
const waysToPrompt: Record<string, (rig: Rig) => Promise<string[]>> = {
  async message(rig) {
    const { cli, seen } = await withPrompts(rig)
    await cli.turn([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ])
    return seen
  },
  async command(rig) {
    await rig.write('project/.claude/skills/review/SKILL.md', '---\ndescription: x\n---\nReview $ARGUMENTS')
    const { cli, seen } = await withPrompts(rig, { sources: 'project' })
    await cli.turn('/review it')
    return seen
  },
  async steered(rig) {
    const { cli, seen } = await withPrompts(rig)
    rig.script(toolUse('Bash', { command: untilGoOn }))
    cli.say('go')
    await cli.request('can_use_tool')
    cli.say('more')
    await cli.untilTrue(() => cli.all({ state: 'queued' }).length === 2, 'a message that waits')
    await rig.write('project/go-on', '')
    await cli.result()
    return seen
  },
  /** Its turn is stopped while the host is asked about a message that was sent into it. */
  async stopped(rig) {
    const { cli, seen } = await withPrompts(rig, {
      onRequest: ({ input }) => {
        if (input?.prompt === 'more' && seen.length === 1) void cli.ask('interrupt')
      },
    })
    rig.script(toolUse('Bash', { command: untilGoOn }))
    cli.say('go')
    await cli.request('can_use_tool')
    cli.say('more')
    await cli.untilTrue(() => cli.all({ state: 'queued' }).length === 2, 'a message that waits')
    await rig.write('project/go-on', '')
    await cli.result(1)
    return seen
  },
  async task(rig) {
    const { cli, seen } = await withPrompts(rig)
    rig.script(toolUse('Bash', { command: untilGoOn, run_in_background: true }))
    await cli.turn('go')
    await rig.write('project/go-on', '')
    await cli.result(1)
    return seen
  },
  async event(rig) {
    const { cli, seen } = await withPrompts(rig)
    const command = `echo tick; ${untilGoOn}`
    rig.script(toolUse('Monitor', { command, description: 'd', timeout_ms: 60_000, persistent: false }))
    await cli.turn('go')
    await cli.result(1)
    await rig.write('project/go-on', '')
    await cli.result(2)
    return seen
  },
  async schedule(rig) {
    await writeScheduledTask(rig, 'BY ITSELF')
    const { cli, seen } = await withPrompts(rig)
    await cli.result()
    // It is due every minute: where one ends meanwhile, it comes twice.
    return [...new Set(seen)]
  },
  async agent(rig) {
    const agent = '---\nname: auto\ndescription: x\ninitialPrompt: BY ITSELF\n---\nYou are auto.'
    await rig.write('project/.claude/agents/auto.md', agent)
    const { cli, seen } = await withPrompts(rig, { sources: 'project', args: ['--agent', 'auto'] })
    await cli.result()
    return seen
  },
  /** News of what a killed process had begun: the next message takes them along. */
  async resumed(rig) {
    const killed = await rig.start()
    rig.script(toolUse('Bash', { command: untilGoOn, run_in_background: true }))
    const { session_id } = await killed.turn('go')
    await killed.kill()
    const { cli, seen } = await withPrompts(rig, { args: ['--resume', session_id] })
    await cli.turn('again')
    await rig.write('project/go-on', '')
    return seen.filter((prompt) => prompt !== 'again')
  },
}

export const backgroundCases: ContractCase[] = [
  {
    id: 'background/command',
    title: 'A background command: result and idle come first; its end begins a turn by itself',
    reliedOnBy: machine,
    expected: {
      states: ['running', 'idle', 'running', 'idle'],
      results: 2,
      started: 'local_bash',
      status: 'completed',
    },
    async observe(rig) {
      const cli = await backgroundCommand(rig)
      await rig.write('project/go-on', '')
      await cli.state('idle', 1)
      return {
        states: states(cli)
          .filter((state) => state !== 'requires_action')
          .filter((state, at, all) => state !== all[at - 1]),
        results: cli.all({ type: 'result' }).length,
        started: cli.all({ subtype: 'task_started' })[0]?.task_type,
        status: cli.all({ subtype: 'task_notification' })[0]?.status,
      }
    },
  },
  {
    id: 'background/prompts',
    title: 'A host’s `UserPromptSubmit` hook sees every prompt before the model does, whoever it comes from',
    reliedOnBy: prompts,
    security: true,
    expected: {
      message: ['one\ntwo'],
      command: ['/review it'],
      steered: ['go', 'more'],
      stopped: ['go', 'more', 'more'],
      task: ['go', 'news of the task'],
      event: ['go', 'news of the task', 'news of the task'],
      schedule: ['BY ITSELF'],
      agent: ['BY ITSELF'],
      resumed: [],
    },
    async observe(rig) {
      const ways = Object.entries(waysToPrompt)
      const seen = ways.map(async ([way, take]) => [way, await take(await rig.sibling())] as const)
      return Object.fromEntries(await Promise.all(seen))
    },
  },
  {
    id: 'background/blocked-prompt',
    title:
      'A prompt that the host’s hook blocks is not put to the model; the turn ends as one without an answer',
    reliedOnBy: prompts,
    security: true,
    expected: { asked: 0, answers: 0, outcome: 'success' },
    async observe(rig) {
      const cli = await rig.start({
        hooks: { UserPromptSubmit: () => ({ decision: 'block', reason: 'no' }) },
      })
      const { subtype: outcome } = await cli.turn('go')
      return { asked: rig.asked.length, answers: cli.all({ type: 'assistant' }).length, outcome }
    },
  },
  {
    id: 'background/list',
    title: '`background_tasks_changed` carries the whole set of what runs',
    reliedOnBy: machine,
    expected: { during: 1, after: 0 },
    async observe(rig) {
      const cli = await backgroundCommand(rig)
      const tasks = (): number | undefined =>
        cli.all({ subtype: 'background_tasks_changed' }).at(-1)?.tasks?.length
      const during = tasks()
      await rig.write('project/go-on', '')
      await cli.untilTrue(() => tasks() === 0, 'empty list')
      return { during, after: tasks() }
    },
  },
  {
    id: 'background/agent',
    title: 'While a background agent works the state stays running past the first result',
    reliedOnBy: machine,
    expected: { idleBeforeItsEnd: 0, results: 2 },
    async observe(rig) {
      const cli = await rig.start()
      rig.scriptBy(async (request) => {
        if (request.kind !== 'subagent') return 'done'
        await rig.poll(() => rig.has('project/go-on'))
        return 'the subagent is done'
      })
      rig.script(subagent('general-purpose', { run_in_background: true }))
      cli.say('go')
      await cli.result()
      const idleBeforeItsEnd = cli.all({ state: 'idle' }).length
      await rig.write('project/go-on', '')
      await cli.state('idle')
      return { idleBeforeItsEnd, results: cli.all({ type: 'result' }).length }
    },
  },
  {
    id: 'background/spared',
    title: 'With `perTaskStopAffordance` an interrupt spares background work; `stop_task` ends it',
    reliedOnBy: ['packages/server/src/adapters/claude/agent.ts'],
    expected: { spared: true, answered: 'success', status: 'stopped' },
    async observe(rig) {
      const cli = await backgroundCommand(rig, { perTaskStopAffordance: true })
      await cli.ask('interrupt')
      const started = cli.all({ subtype: 'task_started' })[0]
      const spared = cli.all({ subtype: 'task_notification' }).length === 0
      const { subtype: answered } = await cli.ask('stop_task', { task_id: started.task_id })
      const ended = await cli.frame({ subtype: 'task_notification' })
      return { spared, answered, status: ended.status }
    },
  },
  {
    id: 'background/stop-foreground',
    title:
      '`stop_task` also ends a command that the agent waits for: its call fails as killed, and the turn goes on',
    reliedOnBy: ['packages/server/src/core/ports/agent.ts'],
    expected: { ended: 'stopped', isError: true, says: true, outcome: 'success', asked: 2 },
    async observe(rig) {
      const cli = await rig.start({ initialize: { perTaskStopAffordance: true } })
      rig.script(toolUse('Bash', { command: `echo printed; ${untilGoOn}` }))
      cli.say('go')
      const { task_id } = await cli.frame({ subtype: 'task_started' })
      await cli.ask('stop_task', { task_id })
      const { subtype: outcome } = await cli.result()
      const { status: ended } = await cli.frame({ subtype: 'task_notification' })
      const [{ is_error: isError, content }] = (
        await cli.until(({ type, message }) => type === 'user' && Array.isArray(message.content), 'result')
      ).message.content
      return {
        ended,
        isError,
        says: content.startsWith('Exit code 137\nprinted'),
        outcome,
        asked: rig.asked.length,
      }
    },
  },
  {
    id: 'background/moved',
    title: 'Of a command that goes on in the background, `task_updated` and the list of those there say so',
    reliedOnBy: ['packages/server/src/core/event-map/map-tasks.ts'],
    expected: { before: false, moved: true, listed: true },
    async observe(rig) {
      const cli = await rig.start()
      rig.script(toolUse('Bash', { command: untilGoOn }))
      cli.say('go')
      const { task_id, is_backgrounded: before } = await cli.frame({ subtype: 'task_started' })
      // As its timeout would.
      await cli.ask('background_tasks')
      await cli.result()
      const moved =
        cli.all({ subtype: 'task_updated', task_id, patch: { is_backgrounded: true } }).length === 1
      const { tasks } = cli.all({ subtype: 'background_tasks_changed' }).at(-1)
      await rig.write('project/go-on', '')
      return { before, moved, listed: tasks.some((task: Frame) => task.task_id === task_id) }
    },
  },
  {
    id: 'background/output',
    title: 'What a command prints is in `<tmp>/claude-<uid>/<project>/<session id>/tasks/<task id>.output`',
    reliedOnBy: ['packages/server/src/adapters/claude/command-outputs.ts'],
    expected: { printed: true },
    async observe(rig) {
      const cli = await backgroundCommand(rig)
      const { task_id, session_id } = cli.all({ subtype: 'task_started' })[0]
      const base = `tmp/claude-${process.getuid?.()}`
      const [project = ''] = await readdir(`${rig.home}/${base}`)
      const file = `${base}/${project}/${session_id}/tasks/${task_id}.output`
      const printed = await rig.poll(() => rig.has(file) && rig.readNow(file).includes('printed'))
      await rig.write('project/go-on', '')
      return { printed }
    },
  },
  {
    id: 'background/scheduled-off',
    title:
      '`CLAUDE_CODE_DISABLE_CRON` keeps a project’s `scheduled_tasks.json` from starting turns by itself',
    reliedOnBy: variables,
    security: true,
    expected: { firesWithoutIt: true, fires: false, toolTaken: true },
    async observe(rig) {
      const other = await rig.sibling()
      await writeScheduledTask(other, 'BY ITSELF')
      await other.start()
      const started = Date.now()
      const firesWithoutIt = await other.poll(() => actedByItself(other))
      const itTakes = Date.now() - started
      await writeScheduledTask(rig, 'BY ITSELF')
      const cli = await rig.start({ env: { CLAUDE_CODE_DISABLE_CRON: '1' } })
      await cli.turn('go')
      await delay(2 * itTakes)
      return {
        firesWithoutIt,
        fires: actedByItself(rig),
        toolTaken: !rig.asked[0]?.toolNames.includes('CronCreate'),
      }
    },
  },
  {
    id: 'background/lost',
    title:
      'Resumed after a kill, it says in a turn of its own that background work is lost: without a prompt, without the model, and before it reports on any message',
    reliedOnBy: ['packages/claude-code-agent/src/session/outbox.ts', ...prompts],
    security: true,
    expected: { turn: ['init', 'result'], prompts: [], askedModel: 0 },
    async observe(rig) {
      const killed = await rig.start()
      rig.script(toolUse('Bash', { command: untilGoOn, run_in_background: true }))
      const { session_id } = await killed.turn('go')
      await killed.kill()
      const before = rig.asked.length
      const { cli, seen } = await withPrompts(rig, { args: [`--resume=${session_id}`] })
      await cli.result()
      await rig.write('project/go-on', '')
      const turn = cli.frames.flatMap(({ type, subtype }) =>
        subtype === 'init'
          ? ['init']
          : ['result', 'assistant', 'command_lifecycle'].includes(type)
            ? [type]
            : [],
      )
      return { turn, prompts: seen, askedModel: rig.asked.length - before }
    },
  },
  {
    id: 'background/cut-off-turn',
    title:
      'With `CLAUDE_CODE_RESUME_INTERRUPTED_TURN` in user settings a cut-off turn goes on by itself on resume, unless `--settings` say 0',
    reliedOnBy: ['packages/server/src/adapters/claude/agent-settings.ts', ...variables],
    security: true,
    expected: { byItself: true, byItselfWithIt: false },
    async observe(rig) {
      const { id, transcript } = await cutOffTurn(rig)
      const cutOff = await rig.read(transcript)
      const goesOn = { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1', CLAUDE_CODE_RESUME_PROMPT: 'BY ITSELF' }
      await rig.write('.claude/settings.json', { env: goesOn })
      const resumed: StartOptions = { sources: 'user', args: [`--resume=${id}`] }
      // By what the model was asked: the turn may begin before a host's hooks are there.
      const cli = await rig.start(resumed)
      await cli.result()
      await cli.kill()
      const byItself = actedByItself(rig)
      const before = rig.asked.length
      await rig.write(transcript, cutOff)
      const settings = { env: { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '0' } }
      const other = await rig.start({ ...resumed, settings })
      await other.turn('from a person')
      return { byItself, byItselfWithIt: actedByItself(rig, before) }
    },
  },
]
