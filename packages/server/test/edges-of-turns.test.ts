/** What comes in the moment in which a turn begins or ends, over HTTP, with the real CLI: nothing hangs, and no stop is lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Turn } from '@dorkos/shared'
import { hang, reply, text, toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { type Host, startHost } from './support/start-host.ts'

const rounds = Array.from({ length: 6 }, (_unused, number) => number)
const quickly = { interval: 2 }
let host: Host
let session: Conversation
beforeAll(async () => {
  host = await startHost(({ lastUserText, toolResults }) => {
    const prompt = lastUserText.split('\n').at(-1) ?? ''
    if (prompt === 'sing') return hang({ afterDeltas: 1, blocks: [text('La la')] })
    if (prompt.startsWith('work') && toolResults.length === 0)
      return toolUse('Bash', { command: 'sleep 0.11', run_in_background: true })
    return reply([text('ok')])
  })
  session = await Conversation.open(host, { content: 'hello', permission_mode: 'bypassPermissions' })
  await session.endOf(1)
})
afterEach(async () => {
  // Whatever began by itself has ended too.
  await expect
    .poll(async () => {
      const { state, queued_messages } = await session.session()
      const { turns } = await host.client.listTurns({ params: session.params })
      return { state, queued_messages, open: turns.filter((turn) => turn.state !== 'ended').length }
    })
    .toEqual({ state: expect.stringMatching(/idle|interrupted/), queued_messages: 0, open: 0 })
})
afterAll(async () => {
  await session?.close()
  await host?.close()
})

const interrupt = (body: { hold_queued?: boolean; cancel_queued?: boolean }, of = session) =>
  host.client.interruptSession({ params: of.params, body })
const outcome = async ({ id }: Turn, of = session) => (await of.turn(id))?.outcome
/** Ends as soon as the turn is over: its background work ends in a moment. */
async function work(round: number): Promise<void> {
  const turn = await session.send(`work ${round}`)
  await expect.poll(() => outcome(turn), quickly).toMatch(/completed|joined/)
}

describe('as background work ends', () => {
  it('a message has a turn of its own, or says which it joined', async () => {
    for (const round of rounds) await work(round)
  })

  it('a stop ends the turn that begins, however early it comes', async () => {
    for (const round of rounds) {
      await work(round)
      const turn = await session.send('sing')
      await expect.poll(async () => (await session.turn(turn.id))?.state, quickly).toBe('running')
      await interrupt({ hold_queued: false })
      await expect.poll(() => outcome(turn)).toMatch(/interrupted|joined/)
    }
  })

  it('a stop ends the turn that begins, or holds its message', async () => {
    for (const round of rounds) {
      await work(round)
      const turn = await session.send('sing')
      await interrupt({})
      const isStopped = async () => {
        const { turns } = await host.client.listTurns({ params: session.params })
        const isHeld = turns.some(({ state, held }) => state === 'queued' && held)
        return isHeld || /interrupted|joined/.test((await outcome(turn)) ?? '')
      }
      await expect.poll(isStopped).toBe(true)
      await interrupt({ cancel_queued: true })
    }
  })
})

it.each([0, 50, 200, 600])('a stop %i ms into the first turn of a new session is not lost', async (ms) => {
  const begun = await Conversation.open(host, { content: 'sing' })
  await sleep(ms)
  await interrupt({}, begun)
  const fate = async () => {
    const { turns } = await host.client.listTurns({ params: begun.params })
    return turns.map(({ state, held, outcome }) => (held ? 'held' : (outcome ?? state))).toReversed()
  }
  // What the CLI had not read when it was stopped waits again as another turn.
  const isStopped = /^(interrupted|held|withdrawn,held)$/
  await expect.poll(async () => (await fate()).join(), quickly).toMatch(isStopped)
  // It stays so until somebody says otherwise, and is there then.
  if ((await fate()).includes('held')) {
    await host.client.releaseQueue({ params: begun.params, body: {} })
    await expect.poll(async () => (await fate()).at(-1), quickly).toBe('running')
    await begun.watch.next('turn_start')
    await interrupt({}, begun)
    await expect.poll(async () => (await fate()).at(-1), quickly).toBe('interrupted')
  }
  await begun.close()
})
