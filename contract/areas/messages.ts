/** Messages of the host: when the CLI takes them up, and how it reports on them. */
import { hang, toolUse } from '@dorkos/testkit'
import { inAnswer, inTool, untilGoOn } from '../busy-turns.ts'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'

const outbox = ['packages/claude-code-agent/src/session/outbox.ts']

const reports = (cli: Cli, uuid: string): string[] =>
  cli.all({ type: 'command_lifecycle', command_uuid: uuid }).map((frame) => frame.state)

/** What the CLI reported from this frame on, in short: its states, its turns, and its reports on this message. */
function story(cli: Cli, from: number, uuid: string): string[] {
  return cli.frames.slice(from).flatMap((frame: Frame) => {
    if (frame.type === 'command_lifecycle') return frame.command_uuid === uuid ? [frame.state] : []
    if (frame.type === 'result') return [`result ${frame.subtype}`]
    if (frame.subtype === 'background_tasks_changed') return [`${frame.tasks.length} tasks`]
    return frame.subtype === 'init'
      ? ['init']
      : frame.subtype === 'session_state_changed'
        ? [frame.state]
        : []
  })
}

/** Says something to an idle CLI, and waits until it is at rest again. Gives what it reported. */
async function sayAndRest(
  cli: Cli,
  content: string,
  meanwhile?: (uuid: string) => Promise<void>,
): Promise<string[]> {
  const from = cli.frames.length
  const uuid = cli.say(content)
  await meanwhile?.(uuid)
  const isOver = (): boolean =>
    story(cli, from, uuid).includes('idle') && /completed|cancelled/.test(reports(cli, uuid).join())
  await cli.untilTrue(isOver, 'rest')
  return story(cli, from, uuid)
}

/** Tries until the CLI was caught before it began with a message: how soon it begins is its own affair. */
async function caught(attempt: () => Promise<string[] | undefined>): Promise<string[] | undefined> {
  for (let left = 20; left > 0; left--) {
    const reported = await attempt()
    if (reported) return reported
  }
  return undefined
}

/** An interrupt in the same breath as a message. Gives what was reported where this field of the answer names the message. */
async function interruptUnbegun(cli: Cli, field: string, more: Frame): Promise<string[] | undefined> {
  let isCaught = false
  const reported = await sayAndRest(cli, 'go', async (uuid) => {
    const { response } = await cli.ask('interrupt', more)
    isCaught = response[field]?.includes(uuid) ?? false
  })
  return isCaught ? reported : undefined
}

export const messageCases: ContractCase[] = [
  {
    id: 'messages/lifecycle',
    title:
      'Each message with an id is reported on: queued, started, completed; each turn says that this is so',
    reliedOnBy: outbox,
    expected: { reports: ['queued', 'started', 'completed'], isSaid: true },
    async observe(rig) {
      const cli = await rig.start()
      const uuid = cli.say('go')
      await cli.state('idle')
      await cli.untilTrue(() => reports(cli, uuid).includes('completed'), 'report of its end')
      const isSaid = cli.all({ subtype: 'init' })[0].capabilities.includes('msg_lifecycle_v1')
      return { reports: reports(cli, uuid), isSaid }
    },
  },
  {
    id: 'messages/seen-id',
    title: 'A message whose id was seen before is left out: no turn of its own',
    reliedOnBy: outbox,
    expected: { turns: 2, asked: ['first', 'other'] },
    async observe(rig) {
      const cli = await rig.start()
      const uuid = cli.say('first')
      await cli.state('idle')
      cli.say('again', { uuid })
      cli.say('other')
      await cli.result(1)
      return {
        turns: cli.all({ type: 'result' }).length,
        asked: rig.asked.map((request) => request.lastUserText),
      }
    },
  },
  {
    id: 'messages/called-back',
    title: 'A message that waits is given back on request, reported as cancelled, and its id is spent',
    reliedOnBy: outbox,
    expected: { answer: { cancelled: true }, last: 'cancelled', saidAgain: false },
    async observe(rig) {
      const cli = await inAnswer(rig)
      const uuid = cli.say('second')
      await cli.frame({ type: 'command_lifecycle', command_uuid: uuid, state: 'queued' })
      const { response: answer } = await cli.ask('cancel_async_message', { message_uuid: uuid })
      const last = reports(cli, uuid).at(-1)
      await cli.ask('interrupt')
      await cli.result()
      cli.say('second', { uuid })
      cli.say('third')
      await cli.result(1)
      return { answer, last, saidAgain: rig.asked.some((request) => request.lastUserText.includes('second')) }
    },
  },
  {
    id: 'messages/interrupt-keeps',
    title: 'An interrupt leaves a message that waits: it begins the next turn',
    reliedOnBy: ['packages/server/src/core/sessions/live-process.ts'],
    expected: { stillQueued: true, next: 'second' },
    async observe(rig) {
      const cli = await inAnswer(rig)
      const uuid = cli.say('second')
      await cli.frame({ type: 'command_lifecycle', command_uuid: uuid, state: 'queued' })
      const { response } = await cli.ask('interrupt')
      await cli.result(1)
      return {
        stillQueued: response.still_queued.includes(uuid),
        next: rig.asked.at(-1)?.newText.match(/second/)?.[0],
      }
    },
  },
  {
    id: 'messages/interrupt-cancels',
    title: 'With `cancel_queued` an interrupt gives back the messages that wait',
    reliedOnBy: ['packages/server/src/core/sessions/live-process.ts'],
    expected: { cancelled: true, reported: 'cancelled', calls: 1 },
    async observe(rig) {
      const cli = await inAnswer(rig)
      const uuid = cli.say('second')
      await cli.frame({ type: 'command_lifecycle', command_uuid: uuid, state: 'queued' })
      const { response } = await cli.ask('interrupt', { cancel_queued: true })
      await cli.state('idle')
      return {
        cancelled: response.cancelled?.includes(uuid),
        reported: reports(cli, uuid).at(-1),
        calls: rig.asked.length,
      }
    },
  },
  {
    id: 'messages/interrupt-unbegun',
    title:
      'An interrupt before the CLI began with a message names it as `still_queued`, and it runs; with `cancel_queued` it never does',
    reliedOnBy: ['packages/server/src/core/sessions/live-process.ts'],
    expected: {
      kept: ['running', 'queued', 'started', 'init', 'result success', 'completed', 'idle'],
      cancelled: ['running', 'queued', 'cancelled', 'idle'],
    },
    async observe(rig) {
      const cli = await rig.start()
      await cli.turn('first')
      return {
        kept: await caught(() => interruptUnbegun(cli, 'still_queued', {})),
        cancelled: await caught(() => interruptUnbegun(cli, 'cancelled', { cancel_queued: true })),
      }
    },
  },
  {
    id: 'messages/interrupt-begun',
    title: 'An interrupt between `started` and `init` ends that turn as an error, and cancels the message',
    reliedOnBy: ['packages/server/src/core/sessions/live-process.ts'],
    expected: {
      before: ['running', 'queued', 'started'],
      stillQueued: [],
      after: ['init', 'result error_during_execution', 'cancelled', 'idle'],
      calls: 0,
    },
    async observe(rig) {
      // A hook that is not answered holds the turn there.
      const cli = await rig.start({ hooks: { UserPromptSubmit: () => undefined } })
      const uuid = cli.say('go')
      await cli.request('hook_callback')
      const before = story(cli, 0, uuid)
      const { response } = await cli.ask('interrupt')
      await cli.state('idle')
      const after = story(cli, 0, uuid).slice(before.length)
      return { before, stillQueued: response.still_queued, after, calls: rig.asked.length }
    },
  },
  {
    id: 'messages/queued-while-idle',
    title:
      'With work in the background, `queued` comes while the state is still idle, and so can the end of that work',
    reliedOnBy: [...outbox, 'packages/claude-code-agent/src/session/activity.ts'],
    expected: {
      reported: ['queued', '0 tasks', 'running', 'started', 'init', 'result success', 'completed', 'idle'],
    },
    async observe(rig) {
      const cli = await rig.start()
      const inBackground = { command: untilGoOn, run_in_background: true }
      rig.scriptBy(({ newText }) => (newText.includes('begin') ? toolUse('Bash', inBackground) : 'done'))
      const reported = await caught(async () => {
        await sayAndRest(cli, 'begin')
        const { task_id } = cli.all({ subtype: 'task_started' }).at(-1)
        const reported = await sayAndRest(cli, 'go', async () => {
          await cli.ask('stop_task', { task_id })
        })
        return reported.indexOf('0 tasks') < reported.indexOf('running') ? reported : undefined
      })
      return { reported }
    },
  },
  {
    id: 'messages/steering',
    title: 'A message with `priority: next` goes into the turn that runs, with the next tool result',
    reliedOnBy: ['packages/server/src/adapters/claude/agent.ts'],
    expected: { turns: 1, inModel: true },
    async observe(rig) {
      const cli = await inTool(rig)
      const uuid = cli.say('look left', { priority: 'next' })
      await cli.frame({ type: 'command_lifecycle', command_uuid: uuid, state: 'queued' })
      await rig.write('project/go-on', '')
      await cli.state('idle')
      return {
        turns: cli.all({ type: 'result' }).length,
        inModel: rig.asked.at(-1)?.newText.includes('look left'),
      }
    },
  },
  {
    id: 'messages/steering-unsaid',
    title: 'One without a priority does so too: it is started and completed before the result of that turn',
    reliedOnBy: outbox,
    expected: { reported: ['queued', 'started', 'completed', 'result success', 'idle'], inModel: true },
    async observe(rig) {
      const cli = await inTool(rig)
      const from = cli.frames.length
      const uuid = cli.say('look left')
      await cli.frame({ type: 'command_lifecycle', command_uuid: uuid, state: 'queued' })
      await rig.write('project/go-on', '')
      await cli.state('idle')
      return { reported: story(cli, from, uuid), inModel: rig.asked.at(-1)?.newText.includes('look left') }
    },
  },
  {
    id: 'messages/waiting-together',
    title: 'Messages that wait for the end of a turn are all started before one `init`, and share that turn',
    reliedOnBy: outbox,
    expected: {
      reported: [
        'started a',
        'started b',
        'started c',
        'init',
        'result',
        'completed a',
        'completed b',
        'completed c',
      ],
    },
    async observe(rig) {
      const cli = await rig.start()
      const queued = (): number => cli.all({ type: 'command_lifecycle', state: 'queued' }).length
      rig.scriptBy(async () => {
        await rig.poll(() => queued() === 4)
        return 'done'
      })
      const first = cli.say('first')
      await rig.model.waitForRequest(1, { timeoutMs: 60_000 })
      const names = Object.fromEntries(['a', 'b', 'c'].map((name) => [cli.say(name), name]))
      await cli.state('idle')
      const firstEnded = cli.frames.findIndex(
        (one) => one.command_uuid === first && one.state === 'completed',
      )
      const reported = cli.frames.slice(firstEnded + 1).flatMap(({ type, subtype, state, command_uuid }) => {
        if (type === 'command_lifecycle') return [`${state} ${names[command_uuid]}`]
        return type === 'result' ? ['result'] : subtype === 'init' ? ['init'] : []
      })
      return { reported }
    },
  },
  {
    id: 'messages/final-report',
    title:
      'Every message gets a final report: completed, or cancelled where it was interrupted or taken back',
    reliedOnBy: outbox,
    expected: {
      joined: 'completed',
      command: 'completed',
      refused: 'completed',
      interrupted: 'cancelled',
      takenBack: 'cancelled',
    },
    async observe(rig) {
      const cli = await inTool(rig)
      const messages: Record<string, string> = { joined: cli.say('second') }
      await rig.write('project/go-on', '')
      await cli.state('idle')
      messages.command = cli.say('/cost')
      await cli.state('idle', 1)
      messages.refused = cli.say('/no-such-command')
      await cli.state('idle', 2)
      rig.script(hang({ afterDeltas: 1 }))
      messages.interrupted = cli.say('third')
      await rig.model.waitForRequest((request) => request.newText.includes('third'), { timeoutMs: 60_000 })
      messages.takenBack = cli.say('fourth')
      await cli.frame({ type: 'command_lifecycle', command_uuid: messages.takenBack, state: 'queued' })
      await cli.ask('interrupt', { cancel_queued: true })
      await cli.state('idle', 3)
      const last = Object.entries(messages).map(([name, uuid]) => [name, reports(cli, uuid).at(-1)])
      return Object.fromEntries(last)
    },
  },
  {
    id: 'messages/waiting',
    title: 'A message that comes while an answer streams has a turn of its own afterwards',
    reliedOnBy: outbox,
    expected: { turns: 2, started: ['queued', 'started', 'completed'] },
    async observe(rig) {
      const cli = await rig.start()
      rig.script({ kind: 'message', blocks: [{ type: 'text', text: 'slow' }], delayMs: 700 })
      cli.say('first')
      await rig.model.waitForRequest(1, { timeoutMs: 60_000 })
      const uuid = cli.say('second')
      await cli.state('idle')
      await cli.untilTrue(() => reports(cli, uuid).includes('completed'), 'report of its end')
      return { turns: cli.all({ type: 'result' }).length, started: reports(cli, uuid) }
    },
  },
  {
    id: 'messages/echo',
    title: 'The CLI does not repeat the host’s own messages',
    reliedOnBy: ['packages/server/src/core/event-map/map-user.ts'],
    expected: { echoed: 0 },
    async observe(rig) {
      const cli = await rig.start()
      cli.say('go')
      await cli.state('idle')
      return { echoed: cli.all({ type: 'user' }).length }
    },
  },
]
