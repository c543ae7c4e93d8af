import { describe, expect, it } from 'vitest'
import { inboundRequest } from '../../test/support/inbound-request.ts'
import type { ElicitationCallback, ElicitationRequest, ElicitationResult } from '../options.ts'
import { answerElicitation } from './elicitation.ts'

const schema = { type: 'object', properties: { name: { type: 'string' } } }
const payload = {
  mcp_server_name: 'ext',
  message: 'Your name?',
  mode: 'form',
  requested_schema: schema,
  property_order: ['name'],
}

describe('a question of an MCP server', () => {
  it('reaches the callback in full, with the signal of the request', async () => {
    let seen: { request: ElicitationRequest; signal: AbortSignal } | undefined
    const { request, withdraw } = inboundRequest('elicitation', payload)
    const callback: ElicitationCallback = (question, { signal }) => {
      seen = { request: question, signal }
      return { action: 'accept', content: { name: 'Ann' } }
    }
    expect(await answerElicitation(request, callback)).toEqual({ action: 'accept', content: { name: 'Ann' } })
    expect(seen?.request).toEqual({
      serverName: 'ext',
      message: 'Your name?',
      mode: 'form',
      requestedSchema: schema,
      raw: request.payload,
    })
    withdraw()
    expect(seen?.signal.aborted).toBe(true)
  })

  it('carries the address where it is one to visit, and leaves out what is not there', async () => {
    let seen: ElicitationRequest | undefined
    const { request } = inboundRequest('elicitation', { mode: 'url', url: 'https://example.org' })
    await answerElicitation(request, (question) => {
      seen = question
      return { action: 'decline' }
    })
    expect(seen).toEqual({
      serverName: '',
      message: '',
      mode: 'url',
      url: 'https://example.org',
      raw: request.payload,
    })
  })

  it('is declined where nobody can answer', async () => {
    const { request } = inboundRequest('elicitation', payload)
    expect(await answerElicitation(request, undefined)).toEqual({ action: 'decline' })
  })

  it.each([undefined, null, 'accept', {}, { action: 'yes' }, []])(
    'is cancelled when the callback returns %j',
    async (junk) => {
      const { request } = inboundRequest('elicitation', payload)
      const callback = () => junk as unknown as ElicitationResult
      expect(await answerElicitation(request, callback)).toEqual({ action: 'cancel' })
    },
  )

  it('is refused when the callback fails', async () => {
    const { request } = inboundRequest('elicitation', payload)
    const callback = () => Promise.reject(new Error('no form to show'))
    await expect(answerElicitation(request, callback)).rejects.toThrow('no form to show')
  })
})
