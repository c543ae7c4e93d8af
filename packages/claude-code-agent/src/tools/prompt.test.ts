import { describe, expect, it } from 'vitest'
import type { SdkPrompt } from './prompt.ts'
import type { ServerLink } from './server-connection.ts'
import { createSdkMcpServer } from './tool-server.ts'

const link: ServerLink = { sessionId: 'session-1', send: () => {} }
const ask = async (prompt: SdkPrompt, method: string, params = {}) => {
  const server = createSdkMcpServer({ name: 's', prompts: [prompt] })
  const response = await server.connect(link).handle({ jsonrpc: '2.0', id: 1, method, params })
  return response?.error ?? response?.result
}
const get = (returned: unknown) =>
  ask({ name: 'p', description: 'd', get: () => returned as string }, 'prompts/get', { name: 'p' })
const user = (text: string) => ({ role: 'user', content: { type: 'text', text } })

describe('prompts', () => {
  const review: SdkPrompt = {
    name: 'review',
    title: 'Review',
    description: 'Reviews a file',
    arguments: [
      { name: 'file', required: true },
      { name: 'tone', description: 'how' },
    ],
    get: ({ file, tone }, { sessionId }) => `${sessionId}: review ${file}, ${tone ?? 'kindly'}`,
  }

  it('are listed with their arguments', async () => {
    expect(await ask(review, 'prompts/list')).toEqual({
      prompts: [
        {
          name: 'review',
          title: 'Review',
          description: 'Reviews a file',
          arguments: [
            { name: 'file', required: true },
            { name: 'tone', description: 'how' },
          ],
        },
      ],
    })
  })

  it('are filled in', async () => {
    expect(await ask(review, 'prompts/get', { name: 'review', arguments: { file: 'a.ts' } })).toEqual({
      description: 'Reviews a file',
      messages: [user('session-1: review a.ts, kindly')],
    })
  })

  it('need what they declare as required, and must exist', async () => {
    expect(await ask(review, 'prompts/get', { name: 'review' })).toMatchObject({
      code: -32602,
      message: "Prompt 'review' needs: file",
    })
    expect(await ask(review, 'prompts/get', { name: 'other' })).toMatchObject({ code: -32602 })
  })

  it.each([
    ['text', 'hi', { description: 'd', messages: [user('hi')] }],
    [
      'messages',
      [user('q'), { role: 'assistant', content: 'a' }],
      {
        description: 'd',
        messages: [user('q'), { role: 'assistant', content: { type: 'text', text: 'a' } }],
      },
    ],
    [
      'a result',
      { messages: [user('q')], description: 'own' },
      { description: 'own', messages: [user('q')] },
    ],
  ])('may be %s', async (_, returned, expected) => {
    expect(await get(returned)).toEqual(expected)
  })

  it.each([
    ['undefined', undefined, /got undefined/],
    ['an unknown role', [{ role: 'system', content: 'x' }], /messages\[0\].role/],
    ['no content', [{ role: 'user' }], /messages\[0\].content is undefined/],
  ])('that are %s are an error, not a dead session', async (_, returned, message) => {
    expect(await get(returned)).toMatchObject({ code: -32603, message: expect.stringMatching(message) })
  })

  it('that throw are an error', async () => {
    const broken: SdkPrompt = { name: 'p', get: () => Promise.reject(new Error('no')) }
    expect(await ask(broken, 'prompts/get', { name: 'p' })).toMatchObject({
      code: -32603,
      message: 'prompt p: no',
    })
  })

  it('that cannot work are refused by name', () => {
    const make = (prompt: unknown) => () => createSdkMcpServer({ name: 's', prompts: [prompt as SdkPrompt] })
    expect(make({ get: () => '' })).toThrow(/A prompt needs a name/)
    expect(make({ name: 'p' })).toThrow(/Prompt 'p': get must be a function/)
    expect(make({ name: 'p', get: () => '', arguments: [{}] })).toThrow(
      /Prompt 'p': each argument needs a name/,
    )
  })
})
