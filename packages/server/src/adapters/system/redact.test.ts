import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const token = `dork_${'a1B2_c3-'.repeat(5)}`
const credential = `dorkos-session-${'z8Y_'.repeat(10)}abc`
const key = `sk-ant-api03-${'x9'.repeat(20)}`

describe('redact', () => {
  it('takes tokens and keys out, wherever they stand', () => {
    for (const text of [
      token,
      `{"msg":"curl -H 'Authorization: Bearer ${token}'"}`,
      `http://x/?token=${token}&y=1`,
      `env ANTHROPIC_API_KEY=${key} claude`,
      JSON.stringify({ line: JSON.stringify({ key }) }),
      `${token}${key}`,
      `ANTHROPIC_AUTH_TOKEN=${credential}`,
      JSON.stringify({ line: `x-api-key: ${credential}` }),
    ]) {
      const clean = redact(text)
      expect(clean, text).not.toContain(token.slice(5))
      expect(clean, text).not.toContain(key.slice(3))
      expect(clean, text).not.toContain('z8Y_')
      expect(clean).toContain('[redacted]')
    }
  })

  it('takes out what a scheme or a field names as secret', () => {
    expect(redact('Basic dXNlcjpwYXNzd29yZA==')).toBe('Basic [redacted]')
    expect(redact('authorization: bearer abc.def-ghi')).toBe('authorization: bearer [redacted]')
    for (const name of ['authorization', 'X-Api-Key', 'cookie', 'set-cookie', 'secret', 'token', 'password'])
      expect(redact(JSON.stringify({ [name]: 'hunter2' }))).toBe(JSON.stringify({ [name]: '[redacted]' }))
    expect(redact('http://127.0.0.1:4242/#code=Zm9vYmFy_-1')).toBe('http://127.0.0.1:4242/#code=[redacted]')
  })

  it('leaves nothing of a secret with quotes in it, and the line whole', () => {
    const line = JSON.stringify({ password: 'a"b\\"c\\', msg: 'said "no"' })
    expect(JSON.parse(redact(line))).toEqual({ password: '[redacted]', msg: 'said "no"' })
  })

  it('tells codes that sign somebody in from those of errors', () => {
    for (const code of ['ABCD2345', 'X7K9QWER', 'q3J_kd-Zf81mHh0Ay5Tt1w'])
      expect(redact(JSON.stringify({ code })), code).toBe('{"code":"[redacted]"}')
    for (const code of [
      'ENOSPC',
      'EADDRINUSE',
      'ERR_STREAM_DESTROYED',
      'SQLITE_FULL',
      'not_found',
      'conflict',
    ])
      expect(redact(JSON.stringify({ code })), code).toBe(JSON.stringify({ code }))
  })

  it('leaves other text alone', () => {
    for (const text of [
      'the token was revoked',
      '{"token_id":"tok_8aeb"}',
      'task-force',
      'risk-averse',
      'sk-1',
    ])
      expect(redact(text)).toBe(text)
  })
})
