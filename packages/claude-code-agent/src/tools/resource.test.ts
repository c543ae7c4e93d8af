import { describe, expect, it, vi } from 'vitest'
import type { SdkResource } from './resource.ts'
import type { ServerLink } from './server-connection.ts'
import { createSdkMcpServer, type SdkMcpServer } from './tool-server.ts'

const link: ServerLink = { sessionId: 'session-1', send: () => {} }
const ask = (server: SdkMcpServer, method: string, params = {}) =>
  server.connect(link).handle({ jsonrpc: '2.0', id: 1, method, params })
const serve = (...resources: SdkResource[]) => createSdkMcpServer({ name: 's', resources })
const read = async (resource: SdkResource, uri: string) => {
  const response = await ask(serve(resource), 'resources/read', { uri })
  return response?.error ?? response?.result
}
const fixed = (returned: unknown) => ({
  uri: 'x://a',
  name: 'A',
  mimeType: 'text/plain',
  read: () => returned as string,
})

describe('resources', () => {
  it('are listed, templates apart', async () => {
    const server = serve(
      { uri: 'x://a', name: 'A', description: 'first', mimeType: 'text/plain', read: () => '' },
      { uriTemplate: 'x://users/{id}', name: 'U', title: 'User', read: () => '' },
    )
    expect(await ask(server, 'resources/list')).toMatchObject({
      result: { resources: [{ uri: 'x://a', name: 'A', description: 'first', mimeType: 'text/plain' }] },
    })
    expect((await ask(server, 'resources/templates/list'))?.result).toEqual({
      resourceTemplates: [{ uriTemplate: 'x://users/{id}', name: 'U', title: 'User' }],
    })
  })

  it.each([
    ['text', 'hello', [{ uri: 'x://a', mimeType: 'text/plain', text: 'hello' }]],
    ['an object', { text: '', mimeType: 'text/css' }, [{ uri: 'x://a', mimeType: 'text/css', text: '' }]],
    ['bytes', { blob: Buffer.from('hi') }, [{ uri: 'x://a', mimeType: 'text/plain', blob: 'aGk=' }]],
    [
      'a list',
      [{ uri: 'x://a/1', text: '1' }, { text: '2' }],
      [
        { uri: 'x://a/1', mimeType: 'text/plain', text: '1' },
        { uri: 'x://a', mimeType: 'text/plain', text: '2' },
      ],
    ],
    ['a result', { contents: [{ text: 'x' }] }, [{ uri: 'x://a', mimeType: 'text/plain', text: 'x' }]],
  ])('are read from %s', async (_, returned, contents) => {
    expect(await read(fixed(returned), 'x://a')).toEqual({ contents })
  })

  it.each([
    ['undefined', undefined, /contents\[0\] is undefined/],
    ['no text', {}, /contents\[0\].text must be a string/],
    ['contents of no list', { contents: 5 }, /contents must be an array/],
  ])('whose reader returns %s are an error, not a dead session', async (_, returned, message) => {
    expect(await read(fixed(returned), 'x://a')).toMatchObject({
      code: -32603,
      message: expect.stringMatching(message),
    })
  })

  it('whose reader throws are an error', async () => {
    const broken: SdkResource = {
      uri: 'x://a',
      name: 'A',
      read: () => {
        throw new Error('disk on fire')
      },
    }
    expect(await read(broken, 'x://a')).toMatchObject({
      code: -32603,
      message: 'resource x://a: disk on fire',
    })
  })

  it('that are not there are distinguished', async () => {
    expect(await read(fixed(''), 'x://b')).toMatchObject({ code: -32002, data: { uri: 'x://b' } })
    expect(await ask(serve(), 'resources/read')).toMatchObject({ error: { code: -32602 } })
  })

  it('of a template get the variables; a fixed one of the same URI comes first', async () => {
    const template = vi.fn(() => 'template')
    const server = serve(
      { uriTemplate: 'x://u.v/{id}/f/{+path}', name: 'T', read: template },
      { uri: 'x://u.v/1/f/fixed', name: 'F', read: () => 'fixed' },
    )
    const contents = async (uri: string) => (await ask(server, 'resources/read', { uri }))?.result
    expect(await contents('x://u.v/a%20b/f/d/e.txt')).toMatchObject({ contents: [{ text: 'template' }] })
    expect(template).toHaveBeenCalledWith('x://u.v/a%20b/f/d/e.txt', {
      sessionId: 'session-1',
      signal: expect.any(AbortSignal),
      variables: { id: 'a b', path: 'd/e.txt' },
    })
    expect(await contents('x://u.v/1/f/fixed')).toMatchObject({ contents: [{ text: 'fixed' }] })
    expect(await contents('x://uXv/1/f/d')).toBeUndefined()
    expect(await contents('x://u.v/1/2/f/d')).toBeUndefined()
  })

  it('that cannot work are refused by name', () => {
    const make = (resource: unknown) => () => serve(resource as SdkResource)
    expect(make({ name: 'A', read: () => '' })).toThrow(/needs a uri or a uriTemplate/)
    expect(make({ uri: 'x://a', read: () => '' })).toThrow(/Resource 'x:\/\/a': name must be/)
    expect(make({ uri: 'x://a', name: 'A' })).toThrow(/Resource 'x:\/\/a': read must be/)
    expect(make({ uriTemplate: 'x://{a,b}', name: 'A', read: () => '' })).toThrow(
      /'\{a,b\}' is not understood/,
    )
    expect(make({ uriTemplate: 'x://{a', name: 'A', read: () => '' })).toThrow(/'\{' is not understood/)
  })

  it('are aborted when the session ends', async () => {
    let signal: AbortSignal | undefined
    const connection = serve({
      uri: 'x://a',
      name: 'A',
      read: (_, context) => {
        signal = context.signal
        return new Promise<string>(() => {})
      },
    }).connect(link)
    const answer = connection.handle({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'x://a' },
    })
    connection.close()
    expect(await answer).toMatchObject({ error: { code: -32000 } })
    expect(signal?.aborted).toBe(true)
  })
})
