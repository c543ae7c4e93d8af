import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { startGateway } from './gateway-fixture.ts'
import { runOnCli } from './gateway-session.ts'

describe('the real CLI behind the gateway', () => {
  it.each(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'])('works with its credential in %s', async (name) => {
    await using fixture = await startGateway([toolUse('Bash', { command: 'echo $((6 * 7))' }), 'It is 42.'])
    const variables = { ANTHROPIC_API_KEY: undefined, [name]: fixture.credential }
    const { text, result } = await runOnCli(fixture, 'work it out', { variables })
    expect(text).toContain('It is 42.')
    expect(result.outcome).toBe('completed')
    expect(fixture.model.requests[1]?.toolResults[0]?.text).toBe('42')
    await fixture.observed(2)
    expect(fixture.seen).toMatchObject([
      { status: 200, outcome: 'complete', usage: { output_tokens: expect.any(Number) } },
      { status: 200, outcome: 'complete' },
    ])
  })

  it('whose call is refused ends its turn at once, with the message and after one call', async () => {
    const message = 'The budget of this session (1 USD) is spent. Raise it to go on.'
    await using fixture = await startGateway(['never said'], { admit: () => ({ ok: false, message }) })
    const { result } = await runOnCli(fixture, 'work')
    expect(result).toMatchObject({
      content: `API Error: 402 ${message}`,
      outcome: 'failed',
      raw: { terminal_reason: 'api_error', api_error_status: 402 },
    })
    expect(fixture.asked).toHaveLength(1)
    expect(fixture.model.requests).toEqual([])
  })

  it('whose second call is refused keeps what the first one did', async () => {
    const message = 'The daily budget is spent.'
    let calls = 0
    await using fixture = await startGateway([toolUse('Bash', { command: 'echo once > done.txt' })], {
      admit: () => (calls++ === 0 ? { ok: true } : { ok: false, message }),
    })
    const { result } = await runOnCli(fixture, 'work', { canUseTool: () => ({ behavior: 'allow' }) })
    expect(result.content).toContain(message)
    expect(fixture.asked).toHaveLength(2)
    expect(fixture.model.requests).toHaveLength(1)
  })

  it('whose credential was revoked stops', async () => {
    await using fixture = await startGateway([])
    fixture.gateway.revoke(fixture.session.sessionId)
    const { result } = await runOnCli(fixture, 'work')
    expect(result.outcome).toBe('failed')
    expect(fixture.logs.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect(fixture.model.requests).toEqual([])
  })
})
