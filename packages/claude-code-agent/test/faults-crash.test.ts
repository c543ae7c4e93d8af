import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { CLIExitError, ClaudeCodeAgent, query, SessionStateError } from '../src/index.ts'
import { deferred } from '../src/session/deferred.ts'
import { collect, nextTurn, recordStates, textOf } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { openTool } from './support/open-tool.ts'

async function failure(promise: Promise<unknown>): Promise<CLIExitError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CLIExitError)
  return error as CLIExitError
}

describe('a CLI that crashes', () => {
  it('before it answers: startSession() rejects with what is known of its end', async () => {
    await using fake = startFakeAgent({ start: [steps.crash({ code: 3, stderr: 'cannot run as root' })] })
    const error = await failure(fake.start())
    expect(error).toMatchObject({ code: 'CLI_EXIT', exitCode: 3, signal: null, lastResult: undefined })
    expect(error.stderrTail.trim()).toBe('cannot run as root')
    expect(error.message).toContain('cannot run as root')
  })

  it.each([
    ['at once, faster than anything can be written to it', '', 10],
    ['at once, while what it started holds its streams open', `(trap '' TERM; exec sleep 5) &`, 2],
  ])('%s', async (_, also, rounds) => {
    const dir = mkdtempSync(join(tmpdir(), 'crash-at-once-'))
    const cliPath = join(dir, 'claude')
    writeFileSync(cliPath, `#!/bin/sh\n${also}\necho "wrong machine" >&2\nexit 9\n`, { mode: 0o755 })
    try {
      const agent = new ClaudeCodeAgent({ cliPath })
      // Several times: whether the first line is refused or lost is a race.
      for (let round = 0; round < rounds; round++) {
        const error = await failure(agent.startSession({ prompt: 'go' }))
        expect(error).toMatchObject({ exitCode: 9, stderrTail: expect.stringContaining('wrong machine') })
      }
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  it('in a turn: what was said is delivered, then every way to follow the session reports the end once', async () => {
    await using fake = startFakeAgent([
      steps.say('last words'),
      steps.crash({ code: 7, stderr: 'out of memory' }),
    ])
    const session = await fake.start()
    const states = recordStates(session)
    const errors: Error[] = []
    const completions: unknown[] = []
    session.on('error', (error) => errors.push(error))
    session.on('complete', (result) => completions.push(result))
    const iterator = session.messages()
    const heard: string[] = []
    const reading = (async () => {
      for await (const message of iterator) if (message.type === 'assistant') heard.push(message.content)
    })()
    const idle = session.messages()
    const error = await failure(session.waitForCompletion())

    expect(error).toMatchObject({ exitCode: 7, signal: null, stderrTail: expect.stringContaining('memory') })
    expect(await failure(reading)).toBe(error)
    expect(heard).toEqual(['last words'])
    expect(await failure(collect(idle))).toBe(error)
    expect(await iterator.next()).toEqual({ value: undefined, done: true })
    expect(await failure(collect(session.messages()))).toBe(error)
    expect(await failure(session.waitForCompletion())).toBe(error)
    expect(errors).toEqual([error])
    expect(completions).toEqual([])
    expect(states.at(-1)).toBe('failed')
    expect(session.getState()).toMatchObject({ state: 'failed', queuedMessages: [] })
    expect(session.getState().stats.completedAt).toBeTypeOf('string')
  })

  it.each(['SIGKILL', 'SIGSEGV', 'SIGTERM'] as const)('by %s: the signal is in the error', async (signal) => {
    await using fake = startFakeAgent([steps.crash({ signal })])
    const session = await fake.start()
    const error = await failure(session.waitForCompletion())
    expect(error).toMatchObject({ exitCode: null, signal, stderrTail: '' })
    expect(error.message).toContain(signal)
  })

  it('with code 0 in the middle of a turn: that is a failure too', async () => {
    await using fake = startFakeAgent([steps.crash({ code: 0 })])
    const session = await fake.start()
    expect(await failure(session.waitForCompletion())).toMatchObject({ exitCode: 0 })
  })

  it('in a later turn: the last result is in the error', async () => {
    await using fake = startFakeAgent({ turns: [[steps.say('first')], [steps.crash({ code: 5 })]] })
    const session = await fake.start({ keepAlive: true })
    await nextTurn(session)
    await session.send('second')
    const error = await failure(session.waitForCompletion())
    expect(error.lastResult).toMatchObject({ type: 'result', result: 'first' })
    expect(session.getState()).toMatchObject({ state: 'failed', lastOutcome: 'completed' })
  })

  it('while it is idle between turns: a session that was kept alive fails', async () => {
    await using fake = startFakeAgent([
      steps.say('first'),
      steps.background({ ms: 100, steps: [steps.crash()] }),
    ])
    const session = await fake.start({ keepAlive: true })
    expect(await nextTurn(session)).toBe('completed')
    await failure(session.waitForCompletion())
  })

  it('and nobody listens: no rejection is left unhandled', async () => {
    await using fake = startFakeAgent([steps.crash()])
    const session = await fake.start()
    const unread = session.messages()
    await fake.logged('exit')
    await fake.expectAllGone()
    await failure(collect(unread))
    // An unhandled rejection fails the whole run.
    await new Promise((resolve) => setImmediate(resolve))
  })

  it('under query(): the iteration throws after what was said', async () => {
    await using fake = startFakeAgent([steps.say('last words'), steps.crash({ code: 7, stderr: 'gone' })])
    const stream = query({ prompt: 'go', options: { pathToClaudeCodeExecutable: fake.cli.path } })
    const types: string[] = []
    const reading = (async () => {
      for await (const message of stream) types.push(message.type)
    })()
    expect(await failure(reading)).toMatchObject({ exitCode: 7 })
    expect(types).toContain('assistant')
    expect(await stream.next()).toEqual({ value: undefined, done: true })
  })
})

describe('everything that is open when the CLI crashes is settled', () => {
  it('tool calls, permission questions, hooks and control requests alike', async () => {
    const { server, called, release } = openTool()
    const asked = deferred<AbortSignal>()
    const hooked = deferred<AbortSignal>()
    await using fake = startFakeAgent(
      {
        turns: [
          [
            steps.parallel([
              steps.tool({ server: 'open', name: 'slow' }),
              steps.ask({ toolName: 'Bash', input: { command: 'ls' } }),
              steps.hook({ event: 'PostToolUse' }),
              [steps.tool({ server: 'open', name: 'release' }), steps.crash({ code: 4 })],
            ]),
          ],
        ],
        answers: { get_session_cost: 'never' },
      },
      {
        mcpServers: { open: server },
        canUseTool: (_, __, { signal }) => {
          asked.resolve(signal)
          return new Promise(() => {})
        },
        hooks: {
          PostToolUse: [
            {
              hooks: [
                (_, __, { signal }) => {
                  hooked.resolve(signal)
                  return new Promise(() => {})
                },
              ],
            },
          ],
        },
      },
    )
    const session = await fake.start()
    const signals = await Promise.all([called, asked.promise, hooked.promise])
    expect(session.getState().state).toBe('waiting_permission')
    expect(session.getState().pendingToolCalls).toHaveLength(2)
    const pending = failure(session.getSessionCost())
    const completion = failure(session.waitForCompletion())
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false, false])
    release()

    const error = await completion
    expect(error.exitCode).toBe(4)
    expect(await pending).toBe(error)
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true, true])
    expect(session.getState()).toMatchObject({
      state: 'failed',
      pendingToolCalls: [],
      pendingPermissions: [],
      pendingToolCall: undefined,
    })
  })

  it('messages that were held back, and a pause', async () => {
    const { server, called, release } = openTool()
    await using fake = startFakeAgent(
      [
        steps.parallel([
          steps.tool({ server: 'open', name: 'slow' }),
          [steps.tool({ server: 'open', name: 'release' }), steps.crash()],
        ]),
      ],
      { mcpServers: { open: server } },
    )
    const session = await fake.start()
    await called
    await session.pause()
    await session.send('later')
    expect(session.getState().state).toBe('paused')
    release()
    await failure(session.waitForCompletion())
    expect(session.getState()).toMatchObject({ state: 'failed', queuedMessages: [] })
  })

  it('and nothing can be begun afterwards', async () => {
    await using fake = startFakeAgent([steps.crash({ code: 2 })])
    const session = await fake.start()
    const error = await failure(session.waitForCompletion())
    await expect(session.send('more')).rejects.toThrow(SessionStateError)
    await expect(session.pause()).rejects.toThrow(SessionStateError)
    expect(await failure(session.interrupt())).toBe(error)
    expect(await failure(session.setModel('other'))).toBe(error)
    await session.cancel()
    await session.close()
    expect(session.getState().state).toBe('failed')
  })

  it('in one session only: another of the same agent goes on', async () => {
    await using fake = startFakeAgent({ turns: [[steps.say('one')], [steps.crash()]] })
    const [doomed, sound] = await Promise.all([
      fake.start({ keepAlive: true }),
      fake.start({ keepAlive: true }),
    ])
    const reading = sound.messages()
    await doomed.send('crash')
    await failure(doomed.waitForCompletion())
    expect(['running', 'idle']).toContain(sound.getState().state)
    await sound.close()
    expect(textOf(await collect(reading))).toBe('one')
  })
})
