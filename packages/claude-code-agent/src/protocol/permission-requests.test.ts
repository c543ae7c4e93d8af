import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inboundRequest } from '../../test/support/inbound-request.ts'
import { AbortError } from '../errors.ts'
import type { CanUseToolCallback, PermissionContext, PermissionResult } from '../permissions.ts'
import { answerPermission } from './permission-requests.ts'

const input = { file_path: '/a.txt', content: 'x' }
const question = (more: Record<string, unknown> = {}) =>
  inboundRequest('can_use_tool', { tool_name: 'Write', input, tool_use_id: 'toolu_1', ...more })

/** The answer to the usual question when the callback returns this. */
function answerTo(result: unknown, timeoutMs = 0): Promise<Record<string, unknown>> {
  return answerPermission(question().request, { canUseTool: () => result as PermissionResult, timeoutMs })
}

describe('what the callback is given', () => {
  const ask = async (more: Record<string, unknown>) => {
    let seen: { name: string; input: unknown; context: PermissionContext } | undefined
    const canUseTool: CanUseToolCallback = (name, toolInput, context) => {
      seen = { name, input: toolInput, context }
      return { behavior: 'allow' }
    }
    await answerPermission(question(more).request, { canUseTool, timeoutMs: 0 })
    return seen
  }

  it('is the tool, its input, the id of the call and what the CLI says about it', async () => {
    const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]
    const seen = await ask({
      permission_suggestions: suggestions,
      decision_reason: 'outside',
      blocked_path: '/a.txt',
      display_name: 'Write',
      description: 'a.txt',
      title: 'Write a.txt',
      agent_id: 'agent_1',
      requires_user_interaction: true,
    })
    expect(seen?.name).toBe('Write')
    expect(seen?.input).toEqual(input)
    expect(seen?.context).toEqual({
      signal: expect.any(AbortSignal),
      suggestions,
      toolUseId: 'toolu_1',
      toolUseID: 'toolu_1',
      requestId: 'request-1',
      decisionReason: 'outside',
      blockedPath: '/a.txt',
      displayName: 'Write',
      description: 'a.txt',
      title: 'Write a.txt',
      agentID: 'agent_1',
      requiresUserInteraction: true,
    })
  })

  it('leaves out what the CLI does not say, and always has a list of suggestions', async () => {
    const seen = await ask({ permission_suggestions: null, title: 7, input: 'no object' })
    expect(seen?.input).toEqual({})
    expect(Object.keys(seen?.context ?? {}).sort()).toEqual([
      'requestId',
      'signal',
      'suggestions',
      'toolUseID',
      'toolUseId',
    ])
    expect(seen?.context.suggestions).toEqual([])
  })
})

describe('the answer', () => {
  it('allows with the input as it was', async () => {
    expect(await answerTo({ behavior: 'allow' })).toEqual({
      behavior: 'allow',
      updatedInput: input,
      toolUseID: 'toolu_1',
    })
  })

  it('allows with changed input and permission updates', async () => {
    const updatedPermissions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]
    const changed = { ...input, content: 'y' }
    expect(await answerTo({ behavior: 'allow', updatedInput: changed, updatedPermissions })).toEqual({
      behavior: 'allow',
      updatedInput: changed,
      updatedPermissions,
      toolUseID: 'toolu_1',
    })
  })

  it('denies with the message, and interrupts where that is asked for', async () => {
    expect(await answerTo({ behavior: 'deny', message: 'not now', interrupt: true })).toEqual({
      behavior: 'deny',
      message: 'not now',
      interrupt: true,
      toolUseID: 'toolu_1',
    })
  })

  it.each([undefined, '', '  \n', 7, null])('denies with a message of its own for %j', async (message) => {
    const answer = await answerTo({ behavior: 'deny', message })
    expect(answer).toMatchObject({ behavior: 'deny', message: 'The user denied this tool call.' })
  })

  it.each([
    undefined,
    null,
    true,
    'allow',
    42,
    [],
    [{ behavior: 'allow' }],
    {},
    { allowed: true },
    { behavior: 'ALLOW' },
    { behavior: true },
    () => ({ behavior: 'allow' }),
    { behavior: 'allow', updatedInput: 'text' },
    { behavior: 'allow', updatedInput: null },
    { behavior: 'allow', updatedInput: [] },
    { behavior: 'allow', updatedPermissions: { type: 'setMode' } },
  ])('denies what is no answer: %j', async (junk) => {
    expect(await answerTo(junk)).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/permission callback returned/),
      toolUseID: 'toolu_1',
    })
  })

  it.each<[string, CanUseToolCallback]>([
    [
      'throws',
      () => {
        throw new Error('out of order')
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of order'))],
    ['throws no error', () => Promise.reject('out of order')],
  ])('denies, and says why, when the callback %s', async (_, canUseTool) => {
    const answer = await answerPermission(question().request, { canUseTool, timeoutMs: 0 })
    expect(answer).toEqual({
      behavior: 'deny',
      message: 'The permission callback failed: out of order',
      toolUseID: 'toolu_1',
    })
  })
})

describe('a question that is withdrawn', () => {
  it("aborts the callback's signal with the reason, and denies at once", async () => {
    const { request, withdraw } = question()
    let signal: AbortSignal | undefined
    const answer = answerPermission(request, {
      canUseTool: (_, __, context) => {
        signal = context.signal
        return new Promise(() => {})
      },
      timeoutMs: 0,
    })
    await Promise.resolve()
    const reason = new Error('the CLI withdrew it')
    withdraw(reason)
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toBe(reason)
    expect(await answer).toMatchObject({ behavior: 'deny', message: expect.stringContaining('withdrawn') })
  })

  it('shows an aborted signal to a callback that is called only then', async () => {
    const { request, withdraw } = question()
    withdraw()
    let aborted: boolean | undefined
    await answerPermission(request, {
      canUseTool: (_, __, { signal }) => {
        aborted = signal.aborted
        return { behavior: 'allow' }
      },
      timeoutMs: 0,
    })
    expect(aborted).toBe(true)
  })

  it('leaves the signal alone once it is answered', async () => {
    const { request, withdraw } = question()
    let signal: AbortSignal | undefined
    await answerPermission(request, {
      canUseTool: (_, __, context) => {
        signal = context.signal
        return { behavior: 'allow' }
      },
      timeoutMs: 0,
    })
    withdraw()
    expect(signal?.aborted).toBe(false)
  })
})

describe('the timeout', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const never = () => {
    const seen: { signal?: AbortSignal; reject?: (error: Error) => void } = {}
    const canUseTool: CanUseToolCallback = (_, __, { signal }) => {
      seen.signal = signal
      return new Promise((_, reject) => {
        seen.reject = reject
      })
    }
    return { canUseTool, seen }
  }

  it('denies, says so and aborts the signal; a failure that comes later is passed over', async () => {
    const { canUseTool, seen } = never()
    const answer = answerPermission(question().request, { canUseTool, timeoutMs: 1500 })
    await vi.advanceTimersByTimeAsync(1499)
    expect(seen.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toEqual({
      behavior: 'deny',
      message: 'Nobody answered the permission question within 1500 ms, so it was denied.',
      toolUseID: 'toolu_1',
    })
    expect(seen.signal?.aborted).toBe(true)
    expect(seen.signal?.reason).toBeInstanceOf(AbortError)
    seen.reject?.(new Error('too late'))
    await vi.advanceTimersByTimeAsync(1)
  })

  it('may be longer than a timer can be', async () => {
    const { canUseTool, seen } = never()
    void answerPermission(question().request, { canUseTool, timeoutMs: 60 * 24 * 3_600_000 })
    await vi.advanceTimersByTimeAsync(20 * 24 * 3_600_000)
    expect(seen.signal?.aborted).toBe(false)
  })

  it.each([0, Number.POSITIVE_INFINITY])('of %d waits for ever', async (timeoutMs) => {
    const { canUseTool, seen } = never()
    void answerPermission(question().request, { canUseTool, timeoutMs })
    await vi.advanceTimersByTimeAsync(20 * 24 * 3_600_000)
    expect(seen.signal?.aborted).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind once it is answered', async () => {
    await answerTo({ behavior: 'allow' }, 1500)
    expect(vi.getTimerCount()).toBe(0)
  })
})
