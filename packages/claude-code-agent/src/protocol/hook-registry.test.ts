import { describe, expect, it } from 'vitest'
import { inboundRequest } from '../../test/support/inbound-request.ts'
import { InvalidOptionsError } from '../errors.ts'
import { type HookCallback, type HookConfigurations, type HookInput, hookEvents } from '../hooks.ts'
import { HookRegistry } from './hook-registry.ts'

const nothing: HookCallback = () => ({})
const call = (callbackId: unknown, more: Record<string, unknown> = {}) =>
  inboundRequest('hook_callback', { callback_id: callbackId, ...more }).request

describe('the manifest', () => {
  it('names every hook by an id of its own, with matcher, timeout and onFailure as given', () => {
    const registry = new HookRegistry({
      PreToolUse: [
        { matcher: 'Bash', hooks: [nothing, nothing], timeout: 30, onFailure: 'block' },
        { hooks: [nothing] },
      ],
      Stop: [{ hooks: [nothing], timeout: 0.5 }],
    })
    expect(registry.manifest).toEqual({
      PreToolUse: [
        { matcher: 'Bash', hookCallbackIds: ['hook_0', 'hook_1'], timeout: 30, onFailure: 'block' },
        { hookCallbackIds: ['hook_2'] },
      ],
      Stop: [{ hookCallbackIds: ['hook_3'], timeout: 0.5 }],
    })
  })

  it('is refused by a CLI that would let a tool run whose blocking hook failed', () => {
    const blocking = new HookRegistry({ PreToolUse: [{ hooks: [nothing], onFailure: 'block' }] })
    expect(() => blocking.checkSupport({})).toThrow(InvalidOptionsError)
    expect(() => blocking.checkSupport({ hook_on_failure_supported: true })).not.toThrow()
    expect(() => new HookRegistry({ PreToolUse: [{ hooks: [nothing] }] }).checkSupport({})).not.toThrow()
  })

  it('is absent without hooks', () => {
    expect(new HookRegistry({}).manifest).toBeUndefined()
  })

  it('puts internal hooks before those of the program', () => {
    const registry = new HookRegistry(
      { PreToolUse: [{ matcher: 'Bash', hooks: [nothing] }] },
      { PreToolUse: [{ hooks: [nothing], timeout: 9 }] },
    )
    expect(registry.manifest).toEqual({
      PreToolUse: [
        { hookCallbackIds: ['hook_0'], timeout: 9 },
        { matcher: 'Bash', hookCallbackIds: ['hook_1'] },
      ],
    })
  })

  it('knows all 33 events', () => {
    const configured = Object.fromEntries(hookEvents.map((event) => [event, [{ hooks: [nothing] }]]))
    const manifest = new HookRegistry(configured as HookConfigurations).manifest
    expect(Object.keys(manifest ?? {})).toHaveLength(33)
    expect(Object.keys(manifest ?? {}).sort()).toEqual([...hookEvents].sort())
  })

  it.each([
    [
      'an unknown event',
      { PreToolUsage: [{ hooks: [nothing] }] },
      /'PreToolUsage' is not a hook event.*PreToolUse/,
    ],
    ['an event in another case', { pretooluse: [] }, /not a hook event/],
    ['a function in place of a list', { Stop: nothing }, /hooks\.Stop must be a list/],
    ['functions in place of matchers', { Stop: [nothing] }, /hooks\.Stop must be a list/],
    ['one function in place of hooks', { Stop: [{ hooks: nothing }] }, /hooks\.Stop must be a list/],
    ['something that is no function', { Stop: [{ hooks: ['run.sh'] }] }, /hooks\.Stop must be a list/],
  ])('refuses %s', (_, configured, message) => {
    const create = () => new HookRegistry(configured as unknown as HookConfigurations)
    expect(create).toThrow(InvalidOptionsError)
    expect(create).toThrow(message)
  })
})

it('says for which events the program has hooks, internal ones not counted', () => {
  const registry = new HookRegistry({ Stop: [{ hooks: [nothing] }] }, { PreToolUse: [{ hooks: [nothing] }] })
  expect(hookEvents.filter((event) => registry.has(event))).toEqual(['Stop'])
})

describe('a call of the CLI', () => {
  it('reaches the hook of that id with its input, the id of the tool call and the signal', async () => {
    const seen: unknown[] = []
    const registry = new HookRegistry({
      Stop: [{ hooks: [nothing] }],
      PreToolUse: [
        {
          hooks: [
            (input, toolUseId, { signal }) => {
              seen.push(input, toolUseId, signal)
              return { decision: 'block', reason: 'no' }
            },
          ],
        },
      ],
    })
    const input = { hook_event_name: 'PreToolUse', tool_name: 'Bash' }
    const request = call('hook_1', { input, tool_use_id: 'toolu_1' })
    expect(await registry.answer(request)).toEqual({ decision: 'block', reason: 'no' })
    expect(seen).toEqual([input, 'toolu_1', request.signal])
  })

  it('is answered with what the hook returns, also when that is to go on without it', async () => {
    const registry = new HookRegistry({ Stop: [{ hooks: [() => ({ async: true, asyncTimeout: 5 })] }] })
    expect(await registry.answer(call('hook_0'))).toEqual({ async: true, asyncTimeout: 5 })
  })

  it('is answered with no opinion when the hook returns nothing', async () => {
    const silent = (() => undefined) as unknown as HookCallback
    const registry = new HookRegistry({ Stop: [{ hooks: [silent] }] })
    expect(await registry.answer(call('hook_0'))).toEqual({})
  })

  it('rejects when the hook throws, and when there is none of that id', async () => {
    const registry = new HookRegistry({
      Stop: [
        {
          hooks: [
            () => {
              throw new Error('broken hook')
            },
          ],
        },
      ],
    })
    await expect(registry.answer(call('hook_0'))).rejects.toThrow('broken hook')
    await expect(registry.answer(call('hook_9'))).rejects.toThrow('hook_9')
    await expect(registry.answer(call(undefined))).rejects.toThrow(InvalidOptionsError)
  })
})

describe('an event that we raise', () => {
  const start: HookInput = {
    hook_event_name: 'SessionStart',
    session_id: 's',
    transcript_path: '/t',
    cwd: '/',
    source: 'startup',
  }
  const fail = (error: unknown) => {
    throw error
  }

  it('calls every hook of that event once, marked as synthetic, and no other', async () => {
    const seen: unknown[] = []
    const note: HookCallback = (input, toolUseId) => {
      seen.push([input, toolUseId])
      return {}
    }
    const registry = new HookRegistry({
      SessionStart: [{ hooks: [note, note] }, { hooks: [note] }],
      SessionEnd: [{ hooks: [note] }],
    })
    await registry.raise('SessionStart', start, fail)
    expect(seen).toEqual(Array.from({ length: 3 }, () => [{ ...start, synthetic: true }, undefined]))
  })

  it('reports hooks that fail and runs the others', async () => {
    const errors: unknown[] = []
    let ran = false
    const registry = new HookRegistry({
      SessionStart: [
        {
          hooks: [
            () => {
              throw new Error('first')
            },
            async () => {
              throw new Error('second')
            },
            () => {
              ran = true
              return {}
            },
          ],
        },
      ],
    })
    await registry.raise('SessionStart', start, (error) => errors.push((error as Error).message))
    expect(errors).toEqual(['first', 'second'])
    expect(ran).toBe(true)
  })

  it.each([
    [undefined, true],
    ['', true],
    ['*', true],
    ['startup', true],
    ['resume|startup', true],
    ['resume, startup', true],
    ['start.p', true],
    ['^start', true],
    ['start', false],
    ['Startup', false],
    ['resume', false],
    ['(', false],
  ])('compares the matcher %j with the source as the CLI does: %s', async (matcher, called) => {
    let ran = false
    const hook: HookCallback = () => {
      ran = true
      return {}
    }
    const registry = new HookRegistry({
      SessionStart: [{ ...(matcher !== undefined && { matcher }), hooks: [hook] }],
    })
    await registry.raise('SessionStart', start, fail)
    expect(ran).toBe(called)
  })

  it('compares the matcher of SessionEnd with the reason', async () => {
    const ran: string[] = []
    const note = (name: string): HookCallback => {
      return () => {
        ran.push(name)
        return {}
      }
    }
    const registry = new HookRegistry({
      SessionEnd: [
        { matcher: 'failed', hooks: [note('failed')] },
        { matcher: 'completed', hooks: [note('completed')] },
      ],
    })
    const end: HookInput = { ...start, hook_event_name: 'SessionEnd', reason: 'failed' }
    await registry.raise('SessionEnd', end, fail)
    expect(ran).toEqual(['failed'])
  })

  it("aborts a hook's signal after its timeout, in seconds", async () => {
    const aborted = async (timeout: number) => {
      let signal: AbortSignal | undefined
      const hook: HookCallback = (_, __, context) => {
        signal = context.signal
        return {}
      }
      await new HookRegistry({ SessionStart: [{ hooks: [hook], timeout }] }).raise(
        'SessionStart',
        start,
        fail,
      )
      await new Promise((resolve) => setTimeout(resolve, 30))
      return signal?.aborted
    }
    expect(await aborted(0.01)).toBe(true)
    expect(await aborted(60)).toBe(false)
  })
})
