import { ApiError, NetworkError } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { errorText } from './api.ts'

describe('what went wrong with a call, in words', () => {
  it('names the line in the server’s log once', () => {
    const reference = 'ref_0123456789abcdef'
    const of = (message: string) => errorText(new ApiError('internal', 500, message, { reference }))
    expect(of(`It failed; the log has it under ${reference}.`)).toBe(
      `It failed; the log has it under ${reference}.`,
    )
    expect(of('It failed.')).toBe(`It failed. Look for ${reference} in the server log.`)
    expect(errorText(new ApiError('conflict', 409, 'Somebody was faster.'))).toBe('Somebody was faster.')
  })

  it('has words for everything', () => {
    for (const error of [new NetworkError('x'), new Error(''), undefined, 'x'])
      expect(errorText(error)).toMatch(/\w{4}/)
  })
})
