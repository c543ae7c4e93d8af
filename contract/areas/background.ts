/** Work that goes on after a turn, and turns that begin by themselves. */
import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { toolUse } from '@dorkos/testkit'
import { untilGoOn } from '../busy-turns.ts'
import type { ContractCase } from '../case.ts'
import type { Cli } from '../cli.ts'
import { subagent } from '../host-answers.ts'
import type { Rig } from '../rig.ts'

const machine = ['packages/claude-code-agent/src/session/state-machine.ts']
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

/** An overdue entry, as `CronCreate` writes it. Without the variable it fires at once. */
async function scheduledTask(rig: Rig): Promise<void> {
  const task = {
    id: 't',
    cron: '* * * * *',
    prompt: 'BY ITSELF',
    createdAt: Date.now() - 180_000,
    recurring: true,
  }
  await rig.write('project/.claude/scheduled_tasks.json', { tasks: [task] })
}

const actedByItself = (rig: Rig): boolean =>
  rig.asked.some((request) => request.newText.includes('BY ITSELF'))

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
    id: 'background/wake',
    title: 'The end of a task is told before the turn that it causes, whose result names it as its origin',
    reliedOnBy: ['packages/server/src/core/sessions/live-process.ts'],
    expected: {
      order: ['init', 'result', 'task_notification', 'init', 'result'],
      origins: [null, 'task-notification'],
    },
    async observe(rig) {
      const cli = await backgroundCommand(rig)
      await rig.write('project/go-on', '')
      const results = [await cli.result(), await cli.result(1)]
      const kinds = ['init', 'result', 'task_notification']
      return {
        order: cli.frames
          .map(({ type, subtype }) => (type === 'system' ? subtype : type))
          .filter((kind) => kinds.includes(kind)),
        origins: results.map((result) => result.origin?.kind ?? null),
      }
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
    id: 'background/output',
    title: 'What a command prints is in `<tmp>/claude-<uid>/<project>/<session id>/tasks/<task id>.output`',
    reliedOnBy: ['packages/server/src/adapters/claude/command-outputs.ts'],
    expected: { printed: true },
    async observe(rig) {
      const cli = await backgroundCommand(rig)
      const { task_id, session_id } = cli.all({ subtype: 'task_started' })[0]
      const base = `tmp/claude-${process.getuid?.()}`
      const [project = ''] = await readdir(`${rig.home}/${base}`)
      const output = await rig.read(`${base}/${project}/${session_id}/tasks/${task_id}.output`)
      await rig.write('project/go-on', '')
      return { printed: output.includes('printed') }
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
      await scheduledTask(other)
      await other.start()
      const started = Date.now()
      const firesWithoutIt = await other.poll(() => actedByItself(other))
      const itTakes = Date.now() - started
      await scheduledTask(rig)
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
]
