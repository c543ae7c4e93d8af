/** What an accepted message must survive: processes that end at the wrong moment, pauses, full disks, deletion. */
import { say } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'
import { AppError } from '../app-error.ts'

let rig: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => rig.manager.stop(0))

const endOf = (turnId: string) => rig.next('turn_end', ({ turn_id }) => turn_id === turnId)

describe('a message', () => {
  it('that is claimed as the process ends runs in the next one', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    const { turns } = rig.coordination
    const claim = turns.claim.bind(turns)
    turns.claim = async (sessionId, epoch) => {
      const turn = await claim(sessionId, epoch)
      turns.claim = claim
      process.exit('killed')
      return turn
    }
    process.run(first.id)
    await endOf(first.id)
    const second = await rig.send('two')
    const next = await rig.agent.process(2)
    expect((await next.message(1)).id).toBe(second.id)
    next.run(second.id)
    expect((await endOf(second.id)).outcome).toBe('completed')
  })

  it('that waits stays in its place when a turn ends while the session is paused', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const runner = rig.manager.runners()[0]!
    await runner.pause()
    const second = await rig.send('two')
    process.end()
    await endOf(first.id)
    expect(runner.state).toBe('paused')
    expect(await rig.turn(second.id)).toMatchObject({ state: 'queued' })
    await runner.resume()
    expect((await process.message(2)).id).toBe(second.id)
  })

  it('ends as it did although the disk was full for a moment', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    const { turns } = rig.coordination
    const end = turns.end.bind(turns)
    let failures = 1
    turns.end = async (...given) => {
      if (failures-- > 0) throw new AppError('storage_full', say('cli_words', { text: 'no space left' }))
      await end(...given)
    }
    process.run(first.id)
    expect((await endOf(first.id)).outcome).toBe('completed')
    expect(await rig.turn(first.id)).toMatchObject({ state: 'ended', outcome: 'completed' })
  })

  it('to a session that is being deleted is refused', async () => {
    const record = await rig.record()
    let refused: unknown
    await rig.manager.remove(record.id, async () => {
      refused = await rig.send('late').catch((error: unknown) => error)
    })
    expect(refused).toMatchObject({ code: 'not_found' })
  })

  it('after a changed limit goes to a new process', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    rig.manager.runners()[0]?.restartWhenIdle(say('cli_words', { text: 'a limit was changed' }))
    process.end()
    await endOf(first.id)
    const second = await rig.send('two')
    const next = await rig.agent.process(2)
    expect((await next.message(1)).id).toBe(second.id)
    expect(process.isClosed).toBe(true)
  })

  it('keeps its session from being ended to make room, from its acceptance on', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.run(first.id)
    await endOf(first.id)
    const runner = rig.manager.runners()[0]!
    runner.expectWork()
    expect(runner.busy).toBe(true)
    runner.wake()
    await expect.poll(() => runner.busy).toBe(false)
  })
})
