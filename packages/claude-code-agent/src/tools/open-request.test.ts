import { describe, expect, it, vi } from 'vitest'
import { rpcError, rpcResult } from './json-rpc.ts'
import { OpenRequest } from './open-request.ts'

function open() {
  const resolve = vi.fn()
  const onAnswered = vi.fn()
  return { request: new OpenRequest(1, resolve, onAnswered), resolve, onAnswered }
}
const late = rpcResult(1, 'late')

describe('an open request', () => {
  it('is answered once, by whatever comes first', () => {
    const { request, resolve, onAnswered } = open()
    request.answer(rpcResult(1, 'first'))
    request.answer(late)
    request.abort(new Error('too late'), rpcError(1, -1, ''))
    expect(resolve).toHaveBeenCalledExactlyOnceWith(rpcResult(1, 'first'))
    expect(onAnswered).toHaveBeenCalledExactlyOnceWith(request)
    expect(request.signal.aborted).toBe(false)
  })

  it('is answered before its signal aborts, so that nothing the listener does comes first', () => {
    const { request, resolve } = open()
    const reason = new Error('stop')
    request.signal.addEventListener('abort', () => request.answer(late))
    request.abort(reason, rpcError(1, -1, 'stopped'))
    expect(resolve).toHaveBeenCalledExactlyOnceWith(rpcError(1, -1, 'stopped'))
    expect(request.signal.reason).toBe(reason)
  })

  it('has an aborted signal also where it was first asked for afterwards', () => {
    const { request } = open()
    const reason = new Error('stop')
    request.abort(reason, late)
    expect(request.signal.aborted).toBe(true)
    expect(request.signal.reason).toBe(reason)
  })

  it('starts one clock at most, and none once it is answered', () => {
    vi.useFakeTimers()
    try {
      const { request } = open()
      const first = vi.fn()
      const second = vi.fn()
      request.limit(10, first)
      request.limit(10, second)
      vi.advanceTimersByTime(20)
      expect([first, second].map((listener) => listener.mock.calls.length)).toEqual([1, 0])
      const answered = open().request
      answered.answer(late)
      answered.limit(10, first)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
