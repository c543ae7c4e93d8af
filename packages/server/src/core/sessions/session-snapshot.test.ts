import { type Session, turnCauses } from '@dorkos/shared'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FakeProcess } from '../../../test/support/fake-agent.ts'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'
import { newTurn } from '../ports/fixtures.conformance.ts'
import { sessionSnapshot } from './session-snapshot.ts'

let rig: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => rig.manager.stop(0))

const costs = { current: async () => undefined }
const getSession = async () => ({}) as Session

it('has the message that went to the agent, until its turn begins', async () => {
  const message = await rig.send('one')
  const waiting = await rig.send('two')
  const process = await rig.agent.process(1)
  await process.message(1)
  const ids = async () => {
    const {
      handed = [],
      queue,
      turn,
    } = await sessionSnapshot(rig.coordination, getSession, costs, message.session_id)
    return { handed: handed.map(({ id }) => id), queue: queue.map(({ id }) => id), turn: turn.length > 0 }
  }
  expect(await ids()).toEqual({ handed: [message.id], queue: [waiting.id], turn: false })
  process.begin(message.id)
  await rig.next('turn_start')
  expect(await ids()).toEqual({ handed: [], queue: [waiting.id], turn: true })
})

it.each(turnCauses.filter((cause) => cause !== 'background'))('whatever caused it: %s', async (cause) => {
  const { id: sessionId } = await rig.record()
  const { grant } = await rig.manager.own(await rig.record(), 'a test')
  const { turns } = rig.coordination
  const { turn } = await turns.admit(newTurn(sessionId, 'one', { cause }))
  await turns.claim(sessionId, grant.epoch)
  const { handed } = await sessionSnapshot(rig.coordination, getSession, costs, sessionId)
  expect(handed).toMatchObject([{ id: turn.id, cause }])
})

it('does not take what began by itself for a message', async () => {
  const { id: sessionId } = await rig.record()
  const { turns } = await rig.manager.own(await rig.record(), 'a test')
  await turns.startBackground({ id: crypto.randomUUID(), principal: 'owner', startedAt: turns.now() })
  const snapshot = await sessionSnapshot(rig.coordination, getSession, costs, sessionId)
  expect(snapshot).not.toHaveProperty('handed')
})

it('has what runs besides the answer, until the process ends or another owner takes over', async () => {
  const { id: sessionId } = await rig.record()
  const tasks = async () =>
    (await sessionSnapshot(rig.coordination, getSession, costs, sessionId)).tasks?.map(({ label }) => label)
  const begin = async (process: FakeProcess, label: string) => {
    await process.handlers.onMessage({
      ...{ type: 'system', subtype: 'task_started', task_type: 'local_bash' },
      ...{ task_id: label, tool_use_id: label, description: label },
    })
    await rig.next('tasks_update', (event) => event.tasks.some((task) => task.label === label))
  }
  await rig.send('one')
  const first = await rig.agent.process(1)
  await first.message(1)
  await begin(first, 'a build')
  expect(await tasks()).toEqual(['a build'])
  first.exit('it crashed')
  await rig.next('tasks_update', (event) => event.tasks.length === 0)
  expect(await tasks()).toBeUndefined()
  await rig.send('two')
  await begin(await rig.agent.process(2), 'another')
  expect(await tasks()).toEqual(['another'])
  rig.clock.advance(60_000)
  const next = await rig.crash()
  await next.manager.start()
  expect(await tasks()).toBeUndefined()
  await next.manager.stop(0)
})
