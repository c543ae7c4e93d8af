import { isLiving } from '@dorkos/processes'
import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { AbortError, CLIConnectionError, query, type Session, TimeoutError } from '../src/index.ts'
import { collect, nextTurn } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { openTool } from './support/open-tool.ts'

async function untilHung(session: Session): Promise<void> {
  for (let answered = true; answered; ) {
    answered = await session.control('get_session_cost', {}, { timeoutMs: 500 }).then(
      () => true,
      () => false,
    )
  }
}

describe.concurrent('a CLI that hangs', () => {
  it('at its start: startSession() times out, and the process is gone', async () => {
    await using fake = startFakeAgent({ start: [steps.hang()] }, { controlTimeoutMs: 300 })
    const error = await fake.start().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ code: 'TIMEOUT', operation: 'initialize', timeoutMs: 300 })
    const { pid } = await fake.logged('spawn')
    expect(isLiving(pid)).toBe(false)
  })

  it('without answering initialize, although it reads', async () => {
    await using fake = startFakeAgent({ answers: { initialize: 'never' } }, { controlTimeoutMs: 300 })
    await expect(fake.start()).rejects.toThrow(TimeoutError)
    expect(isLiving((await fake.logged('spawn')).pid)).toBe(false)
  })

  it('at its start: an abort ends the wait at once', async () => {
    await using fake = startFakeAgent({ start: [steps.hang()] })
    const controller = new AbortController()
    const starting = fake.start({ signal: controller.signal })
    await fake.logged('spawn')
    controller.abort()
    await expect(starting).rejects.toThrow(AbortError)
    expect(isLiving((await fake.logged('spawn')).pid)).toBe(false)
  })

  it.each([{ reading: true }, { reading: false }])(
    'in a turn (reading: $reading): interrupt() times out, cancel() ends it all the same',
    async ({ reading }) => {
      await using fake = startFakeAgent([steps.say('before'), steps.hang({ reading })], {
        controlTimeoutMs: 3000,
      })
      const session = await fake.start()
      const messages = collect(session.messages())
      await expect(session.interrupt()).rejects.toMatchObject({ code: 'TIMEOUT', operation: 'interrupt' })
      expect(session.getState().state).toBe('running')
      await session.cancel()
      expect(session.getState().state).toBe('cancelled')
      expect(isLiving(session.pid ?? 0)).toBe(false)
      expect((await messages).some((message) => message.type === 'assistant')).toBe(true)
      expect(await session.waitForCompletion()).toMatchObject({ state: 'cancelled', outcome: undefined })
    },
  )

  it('in a turn: open tool calls are aborted by cancel(), and what is written to it is not waited for', async () => {
    const { server, called, release } = openTool()
    const slow = steps.tool({ server: 'open', name: 'slow' })
    const hang = [steps.tool({ server: 'open', name: 'release' }), steps.hang()]
    await using fake = startFakeAgent([steps.parallel([slow, hang])], { mcpServers: { open: server } })
    const session = await fake.start()
    const signal = await called
    release()
    await untilHung(session)
    // More than the pipe holds, so that it is still on its way when the process is ended.
    const sending = session.send('x'.repeat(4_000_000)).catch((error: unknown) => error)
    expect(signal.aborted).toBe(false)
    await session.cancel()
    expect(signal.aborted).toBe(true)
    expect(session.getState()).toMatchObject({ state: 'cancelled', pendingToolCalls: [], queuedMessages: [] })
    expect(await sending).toBeInstanceOf(CLIConnectionError)
  })

  it('under query(): aborting ends the iteration and the process', async () => {
    await using fake = startFakeAgent([steps.say('before'), steps.hang()])
    const abortController = new AbortController()
    const stream = query({
      prompt: 'go',
      options: { pathToClaudeCodeExecutable: fake.cli.path, abortController },
    })
    const reading = (async () => {
      for await (const message of stream) if (message.type === 'assistant') abortController.abort()
    })()
    await expect(reading).rejects.toThrow(AbortError)
    await fake.expectAllGone()
  })

  it('when several ask for its end, all of them see it', async () => {
    await using fake = startFakeAgent([steps.hang()])
    const session = await fake.start()
    await Promise.all([session.cancel(), session.cancel(), session.close(), fake.agent.close()])
    expect(session.getState().state).toBe('cancelled')
    expect(isLiving(session.pid ?? 0)).toBe(false)
  })
})

describe.concurrent('a CLI that ignores SIGTERM', () => {
  it('is killed by cancel()', async () => {
    await using fake = startFakeAgent([steps.ignoreTerm(), steps.say('deaf'), steps.hang()])
    const session = await fake.start()
    for await (const message of session.messages()) if (message.type === 'assistant') break
    await session.cancel()
    expect(session.getState().state).toBe('cancelled')
    expect(isLiving(session.pid ?? 0)).toBe(false)
    expect(await fake.entries('signal')).toMatchObject([{ signal: 'SIGTERM' }])
    expect(await fake.entries('exit')).toEqual([])
  })

  it('is killed when it does not even start', async () => {
    await using fake = startFakeAgent(
      { start: [steps.ignoreTerm(), steps.hang()] },
      { controlTimeoutMs: 500 },
    )
    await expect(fake.start()).rejects.toThrow(TimeoutError)
    expect(isLiving((await fake.logged('spawn')).pid)).toBe(false)
  })

  it('ends in good order all the same when its turn is over', async () => {
    await using fake = startFakeAgent([steps.ignoreTerm(), steps.say('done')])
    const session = await fake.start()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
    expect(await fake.entries('signal')).toEqual([])
    expect(await fake.entries('exit')).toMatchObject([{ code: 0 }])
  })
})

describe.concurrent('a process that the CLI started', () => {
  const holdings = [{}, { holdStdout: true }, { holdStdout: true, ignoreTerm: true }]

  it.each(holdings)('is gone when the session is completed (%o)', async (how) => {
    await using fake = startFakeAgent([steps.forkGrandchild(how), steps.say('done')])
    const session = await fake.start()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed', outcome: 'completed' })
    await fake.expectAllGone()
  })

  it.each(holdings)('is gone when cancel() has resolved (%o)', async (how) => {
    await using fake = startFakeAgent([steps.forkGrandchild(how), steps.hang()])
    const session = await fake.start()
    const { grandchildPid } = await fake.logged('grandchild')
    expect(isLiving(grandchildPid)).toBe(true)
    await session.cancel()
    expect(isLiving(grandchildPid)).toBe(false)
  })

  it.each(holdings)('is gone after the CLI crashed (%o)', async (how) => {
    await using fake = startFakeAgent([steps.forkGrandchild(how), steps.say('last words'), steps.crash()])
    const session = await fake.start()
    const error = await session.waitForCompletion().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'CLI_EXIT', exitCode: 1 })
    await fake.expectAllGone()
  })

  it('is gone after close() of an idle session', async () => {
    await using fake = startFakeAgent([steps.forkGrandchild(), steps.say('done')])
    const session = await fake.start({ keepAlive: true })
    await nextTurn(session)
    const { grandchildPid } = await fake.logged('grandchild')
    await session.close()
    expect(session.getState().state).toBe('completed')
    expect(isLiving(grandchildPid)).toBe(false)
  })
})
