import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { ClaudeCodeAgent } from '../src/index.ts'
import { collect, textOf } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { startOfflineAgent } from './support/offline-agent.ts'

describe('maxConcurrentSessions', () => {
  it.each([1, 2])('lets further sessions wait their turn, %i at a time', async (maxConcurrentSessions) => {
    await using fake = startFakeAgent([steps.wait(100), steps.say('hi')], { maxConcurrentSessions })
    let live = 0
    let most = 0
    const started: string[] = []
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (prompt) => {
        const session = await fake.start({ prompt })
        started.push(prompt)
        most = Math.max(most, ++live)
        session.on('complete', () => live--)
        await session.waitForCompletion()
      }),
    )
    expect(most).toBe(maxConcurrentSessions)
    // Of two that start at the same time, either may be the first to be up.
    if (maxConcurrentSessions === 1) expect(started).toEqual(['a', 'b', 'c', 'd'])
    else expect(started.toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives the place back when a session cannot be started, and lets one that waits be aborted', async () => {
    await using fake = startFakeAgent([steps.say('one')], { maxConcurrentSessions: 1 })
    const nowhere = fake.start({ prompt: 'x', projectPath: '/nowhere/at/all' })
    await expect(nowhere).rejects.toMatchObject({ code: 'CWD_NOT_FOUND' })
    const first = await fake.agent.startSession({ keepAlive: true })
    const controller = new AbortController()
    const waiting = fake.start({ prompt: 'y', signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    const next = fake.start({ prompt: 'z' })
    await first.close()
    expect(textOf(await collect((await next).messages()))).toBe('one')
  })

  it('refuses a limit that lets nothing run', () => {
    expect(() => new ClaudeCodeAgent({ maxConcurrentSessions: 0 })).toThrow('at least 1')
  })
})

describe('prewarm()', () => {
  it('uses a process that is started and initialised, and puts another in its place', async () => {
    await using run = await startOfflineAgent(['one', 'two'])
    await run.agent.prewarm(1)
    const session = await run.agent.startSession({ prompt: 'go' })
    expect(session.initializationResult().commands).toBeDefined()
    expect(textOf(await collect(session.messages()))).toBe('one')
    const second = await run.agent.startSession({ prompt: 'again', keepAlive: true })
    expect(second.pid).not.toBe(session.pid)
    expect(second.id).not.toBe(session.id)
    await second.close()
  })

  it('starts a process of its own where the session sets more than prompt and directory', async () => {
    await using fake = startFakeAgent([steps.say('one')])
    await fake.agent.prewarm(1)
    const spare = await fake.logged('spawn')
    const session = await fake.start({ options: { systemPrompt: 'Speak like a pirate.' } })
    await session.waitForCompletion()
    expect(session.pid).not.toBe(spare.pid)
  })

  it('ends the spare processes with the agent, and rejects when none can be started', async () => {
    await using fake = startFakeAgent([])
    await fake.agent.prewarm(2)
    await fake.agent.close()
    await fake.expectAllGone()
    const broken = new ClaudeCodeAgent({ cliPath: '/nowhere/claude' })
    await expect(broken.prewarm(1)).rejects.toMatchObject({ code: 'CLI_NOT_FOUND' })
  })
})

describe('options of a session', () => {
  it('are laid over those of the agent: the system prompt of the preset with more, and one of its own', async () => {
    await using run = await startOfflineAgent(['one', 'two'], {
      systemPrompt: { preset: 'claude_code', append: 'AGENT PROMPT' },
    })
    await (await run.agent.startSession({ prompt: 'a' })).waitForCompletion()
    const session = await run.agent.startSession({ prompt: 'b', options: { systemPrompt: 'SESSION PROMPT' } })
    await session.waitForCompletion()
    const [first, second] = run.model.requests.map(({ system }) => system)
    expect(first).toContain('Claude')
    expect(first).toContain('AGENT PROMPT')
    expect(second).toContain('SESSION PROMPT')
    expect(second).not.toContain('AGENT PROMPT')
  })

  it('lay env over the environment of the program, and can take a variable away', async () => {
    process.env.DORKOS_TEST_INHERITED = 'yes'
    process.env.CLAUDECODE = '1'
    try {
      const { toEnvironment } = await import('../src/launch/environment.ts')
      const env = toEnvironment({ env: { EXTRA: '1', PATH: undefined } }, process.env)
      expect(env).toMatchObject({ DORKOS_TEST_INHERITED: 'yes', EXTRA: '1' })
      expect(env).not.toHaveProperty('PATH')
      expect(env).not.toHaveProperty('CLAUDECODE')
      expect(toEnvironment({ env: { ONLY: '1' } }, process.env, true)).not.toHaveProperty(
        'DORKOS_TEST_INHERITED',
      )
    } finally {
      delete process.env.DORKOS_TEST_INHERITED
      delete process.env.CLAUDECODE
    }
  })
})
