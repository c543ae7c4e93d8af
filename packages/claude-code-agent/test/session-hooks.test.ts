import { readFile } from 'node:fs/promises'
import { apiError } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import {
  CLINotFoundError,
  ClaudeCodeAgent,
  type HookCallback,
  type HookConfigurations,
  type HookInput,
  type HookMatcher,
} from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { MemoryTransport } from './support/memory-transport.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { recordingHooks } from './support/recording-hooks.ts'
import { runTurn } from './support/run-turn.ts'

describe('SessionStart and SessionEnd', () => {
  /** Hooks that keep what they are given, of synthetic events only. */
  function keeping() {
    const raised: HookInput[] = []
    const keep: HookCallback = (input) => {
      raised.push(input)
      return {}
    }
    const hooks: HookConfigurations = { SessionStart: [{ hooks: [keep] }], SessionEnd: [{ hooks: [keep] }] }
    const names = () => raised.map((input) => `${input.hook_event_name} ${input.source ?? input.reason}`)
    return { raised, hooks, names }
  }

  it('are raised once each, marked as synthetic, over several turns', async () => {
    const { raised, hooks, names } = keeping()
    await using run = await startOfflineAgent(['one', 'two'], { hooks })
    const session = await run.agent.startSession({ keepAlive: true })
    for (const prompt of ['first', 'second']) {
      const turn = nextTurn(session)
      await session.send(prompt)
      await turn
      await untilState(session, 'idle')
    }
    expect(names()).toEqual(['SessionStart startup'])
    await session.close()
    await session.close()
    expect(names()).toEqual(['SessionStart startup', 'SessionEnd completed'])
    for (const input of raised)
      expect(input).toMatchObject({ synthetic: true, session_id: session.id, cwd: run.cwd })
  })

  it('report a resumed session as such, and a matcher picks by that', async () => {
    const { hooks, names } = keeping()
    const resumes: unknown[] = []
    const resumeOnly: HookMatcher = {
      matcher: 'resume',
      hooks: [
        (input) => {
          resumes.push(input.source)
          return {}
        },
      ],
    }
    hooks.SessionStart?.push(resumeOnly)
    await using run = await startOfflineAgent(['one', 'two'], { hooks })
    const first = await run.agent.startSession({ prompt: 'go' })
    await first.waitForCompletion()
    expect(resumes).toEqual([])
    const second = await run.agent.resumeSession(first.id, { prompt: 'go on' })
    await second.waitForCompletion()
    expect(resumes).toEqual(['resume'])
    expect(names()).toEqual([
      'SessionStart startup',
      'SessionEnd completed',
      'SessionStart resume',
      'SessionEnd completed',
    ])
  })

  it('come once each when the session is cancelled, when its turn fails, and when its process dies', async () => {
    const cancelled = keeping()
    await using run = await startOfflineAgent(['one'], { hooks: cancelled.hooks })
    const session = await run.agent.startSession({ keepAlive: true })
    await session.cancel()
    expect(cancelled.names()).toEqual(['SessionStart startup', 'SessionEnd cancelled'])

    const failed = keeping()
    await using refused = await startOfflineAgent([apiError(400, 'no', { sticky: true })], {
      hooks: failed.hooks,
    })
    const failing = await refused.agent.startSession({ prompt: 'go' })
    await expect(failing.waitForCompletion()).rejects.toThrow()
    expect(failed.names()).toEqual(['SessionStart startup', 'SessionEnd failed'])

    const crashed = keeping()
    await using fake = startFakeAgent([{ verb: 'crash', code: 3 }], { hooks: crashed.hooks })
    const dying = await fake.start()
    await expect(dying.waitForCompletion()).rejects.toThrow()
    expect(crashed.names()).toEqual(['SessionStart startup', 'SessionEnd failed'])
  })

  it('do not come when nothing was started', async () => {
    const { hooks, names } = keeping()
    await using agent = new ClaudeCodeAgent({ hooks, cliPath: '/no/such/claude' })
    await expect(agent.startSession({ prompt: 'go' })).rejects.toThrow(CLINotFoundError)
    expect(names()).toEqual([])
  })

  it('that fail warn, and harm nothing', async () => {
    const fail: HookCallback = () => {
      throw new Error('broken hook')
    }
    const hooks: HookConfigurations = { SessionStart: [{ hooks: [fail] }], SessionEnd: [{ hooks: [fail] }] }
    await runTurn(['done'], { hooks }, ({ run, result }) => {
      expect(result).toMatchObject({ type: 'result', outcome: 'completed' })
      expect(run.warnings).toEqual([
        expect.stringContaining('SessionStart hook failed'),
        expect.stringContaining('SessionEnd hook failed'),
      ])
    })
  })

  it('come first and last, whatever else the CLI has to say', async () => {
    const order: string[] = []
    const transport = new MemoryTransport()
    // The answer to `initialize` and the first hook arrive together, as they may from a pipe.
    transport.onWrite = (message) => {
      const request = message.request as Initialize | undefined
      if (request?.subtype !== 'initialize') return
      const [matcher] = request.hooks.UserPromptSubmit ?? []
      const input = { hook_event_name: 'UserPromptSubmit' }
      const call = { subtype: 'hook_callback', callback_id: matcher?.hookCallbackIds[0], input }
      setImmediate(() => {
        const response = { subtype: 'success', request_id: message.request_id, response: {} }
        transport.receive({ type: 'control_response', response })
        transport.receive({ type: 'control_request', request_id: 'hook', request: call })
      })
    }
    await using agent = new ClaudeCodeAgent({
      transport: () => transport,
      hooks: recordingHooks(['SessionStart', 'UserPromptSubmit', 'SessionEnd'], order),
    })
    const session = await agent.startSession({ prompt: 'go' })
    await session.cancel()
    expect(order).toEqual(['SessionStart (synthetic)', 'UserPromptSubmit', 'SessionEnd (synthetic)'])
  })

  it('name the transcript that the CLI writes', async () => {
    const { raised, hooks } = keeping()
    const paths: string[] = []
    const note: HookCallback = (input) => {
      paths.push(input.transcript_path)
      return {}
    }
    await runTurn(['done'], { hooks: { ...hooks, Stop: [{ hooks: [note] }] } }, async () => {
      expect(raised.map((input) => input.transcript_path)).toEqual([paths[0], paths[0]])
      expect(await readFile(String(paths[0]), 'utf8')).toContain('done')
    })
  })
})

/** The request that starts a session, as far as it is about hooks. */
interface Initialize {
  subtype: string
  hooks: Record<string, { hookCallbackIds: string[] }[]>
}
