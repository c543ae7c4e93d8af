import { isLiving } from '@dorkos/processes'
import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { TimeoutError } from '../src/index.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { eventually } from './transport/script-process.ts'

describe('spare processes', () => {
  it('that cannot be started: prewarm() rejects, and leaves nothing running', async () => {
    await using fake = startFakeAgent({ start: [steps.crash({ code: 3, stderr: 'no licence' })] })
    await expect(fake.agent.prewarm(2)).rejects.toMatchObject({ code: 'CLI_EXIT', exitCode: 3 })
    await fake.expectAllGone()
  })

  it('that hang at their start: prewarm() times out', async () => {
    await using fake = startFakeAgent({ start: [steps.hang()] }, { controlTimeoutMs: 300 })
    await expect(fake.agent.prewarm(1)).rejects.toThrow(TimeoutError)
    await fake.expectAllGone()
  })

  it('that die while nobody uses them are passed over', async () => {
    await using fake = startFakeAgent([steps.say('hi')])
    await fake.agent.prewarm(1)
    const { pid } = await fake.logged('spawn')
    process.kill(pid, 'SIGKILL')
    await eventually('the spare process is gone', () => !isLiving(pid))
    // Its end is noticed with its streams, a moment after the process itself.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const session = await fake.start()
    expect(session.pid).not.toBe(pid)
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
  })

  it('that crash in the session that took them fail that session, as any other', async () => {
    await using fake = startFakeAgent([steps.crash({ code: 6 })])
    await fake.agent.prewarm(1)
    const session = await fake.start()
    await expect(session.waitForCompletion()).rejects.toMatchObject({ code: 'CLI_EXIT', exitCode: 6 })
  })

  it('that are still starting are gone when close() has resolved', async () => {
    await using fake = startFakeAgent({ answers: { initialize: 'never' } })
    const warming = fake.agent.prewarm(2)
    while ((await fake.entries('spawn')).length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    await fake.agent.close()
    for (const { pid } of await fake.entries('spawn')) expect(isLiving(pid)).toBe(false)
    await warming
    expect(fake.warnings).toEqual([])
  })

  it('that ignore SIGTERM and hang are ended by close() all the same', async () => {
    await using fake = startFakeAgent({
      start: [steps.ignoreTerm(), steps.forkGrandchild({ holdStdout: true })],
      answers: { end_session: 'never' },
    })
    await fake.agent.prewarm(1)
    await fake.agent.close()
    await fake.expectAllGone()
  })
})
