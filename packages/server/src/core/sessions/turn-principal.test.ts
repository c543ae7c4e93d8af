import { expect, it } from 'vitest'
import { guest } from '../../../test/support/actors.ts'
import { createSessionRig } from '../../../test/support/session-rig.ts'
import type { TurnOfProcess } from './process-session.ts'

it('books a turn to whoever caused it, and what began by itself to the session’s', async () => {
  const booked: string[] = []
  const book = async ({ principal }: TurnOfProcess) => {
    booked.push(principal)
    return { turnEnd: {}, events: [] }
  }
  const rig = await createSessionRig(undefined, {
    sources: {
      costs: () => ({
        opened: async () => {},
        refusal: () => undefined,
        turnEnded: book,
        turnLost: book,
        answered: () => {},
        closed: () => {},
      }),
    },
  })
  await rig.manager.start()
  const record = await rig.record()
  const { principal } = guest
  const ended = (id: string) => rig.next('turn_end', ({ turn_id }) => turn_id === id)

  const message = await rig.manager.sendMessage(record, 'one', { principal, delivery: 'queue' })
  const process = await rig.agent.process(1)
  await process.message(1)
  process.run(message.id)
  await ended(message.id)
  expect(booked).toEqual(['guest'])

  process.begin()
  process.end()
  await rig.next('turn_end', ({ turn_id }) => turn_id !== message.id)
  expect(booked).toEqual(['guest', 'owner'])

  const lost = await rig.manager.sendMessage(record, 'two', { principal, delivery: 'queue' })
  await process.message(2)
  process.begin(lost.id)
  process.exit('it crashed')
  await ended(lost.id)
  expect(booked).toEqual(['guest', 'owner', 'guest'])
  await rig.manager.stop(0)
})
