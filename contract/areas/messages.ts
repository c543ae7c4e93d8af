/** Messages of the host: when the CLI takes them up, and how it reports on them. */
import { inAnswer, inTool } from '../busy-turns.ts'
import type { ContractCase } from '../case.ts'
import type { Cli } from '../cli.ts'

const outbox = ['packages/claude-code-agent/src/session/outbox.ts']

const reports = (cli: Cli, uuid: string): string[] =>
  cli.all({ type: 'command_lifecycle', command_uuid: uuid }).map((frame) => frame.state)

export const messageCases: ContractCase[] = [
  {
    id: 'messages/lifecycle',
    title: 'Each message with an id is reported on: queued, started, completed',
    reliedOnBy: outbox,
    expected: { reports: ['queued', 'started', 'completed'] },
    async observe(rig) {
      const cli = await rig.start()
      const uuid = cli.say('go')
      await cli.state('idle')
      await cli.untilTrue(() => reports(cli, uuid).includes('completed'), 'report of its end')
      return { reports: reports(cli, uuid) }
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
    id: 'messages/steering',
    title: 'A message with `priority: next` goes into the turn that runs, with the next tool result',
    reliedOnBy: ['packages/server/src/adapters/claude/agent.ts'],
    expected: { turns: 1, told: true },
    async observe(rig) {
      const cli = await inTool(rig)
      const uuid = cli.say('look left', { priority: 'next' })
      await cli.frame({ type: 'command_lifecycle', command_uuid: uuid, state: 'queued' })
      await rig.write('project/go-on', '')
      await cli.state('idle')
      return {
        turns: cli.all({ type: 'result' }).length,
        told: rig.asked.at(-1)?.newText.includes('look left'),
      }
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
