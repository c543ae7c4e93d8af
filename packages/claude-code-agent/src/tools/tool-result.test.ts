import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileSchema } from './input-schema.ts'
import { checkStructuredContent, toCallToolResult } from './tool-result.ts'

const text = (value: string) => ({ type: 'text', text: value })
const circular: Record<string, unknown> = {}
circular.self = circular
let deep: unknown = []
for (let depth = 0; depth < 50_000; depth++) deep = [deep]

describe('what a handler returns', () => {
  it.each([
    ['a string', 'hi', { content: [text('hi')] }],
    ['text', { content: [text('hi')] }, { content: [text('hi')] }],
    ['nothing to say', { content: [] }, { content: [] }],
    ['an error', { content: [text('no')], isError: true }, { content: [text('no')], isError: true }],
    [
      'an image',
      { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
      { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
    ],
    [
      'a resource and a link',
      {
        content: [
          { type: 'resource', resource: { uri: 'x://a', text: 'A', mimeType: 'text/plain' } },
          { type: 'resource', resource: { uri: 'x://b', blob: 'aGk=' } },
          { type: 'resource_link', uri: 'x://c', name: 'C', size: 3, description: 'd' },
        ],
      },
      {
        content: [
          { type: 'resource', resource: { uri: 'x://a', text: 'A', mimeType: 'text/plain' } },
          { type: 'resource', resource: { uri: 'x://b', blob: 'aGk=' } },
          { type: 'resource_link', uri: 'x://c', name: 'C', size: 3, description: 'd' },
        ],
      },
    ],
    [
      'annotations and _meta',
      {
        content: [{ ...text('hi'), annotations: { audience: ['user'] }, _meta: { k: 1 } }],
        _meta: { m: true },
      },
      {
        content: [{ ...text('hi'), annotations: { audience: ['user'] }, _meta: { k: 1 } }],
        _meta: { m: true },
      },
    ],
    [
      'structured content',
      { structuredContent: { n: 1, when: new Date(0) } },
      {
        content: [text('{"n":1,"when":"1970-01-01T00:00:00.000Z"}')],
        structuredContent: { n: 1, when: '1970-01-01T00:00:00.000Z' },
      },
    ],
    [
      'structured content with text',
      { content: [text('one')], structuredContent: { n: 1 } },
      { content: [text('one')], structuredContent: { n: 1 } },
    ],
    [
      'fields that MCP does not know',
      { content: [{ ...text('hi'), odd: 1n }], odd: circular },
      { content: [text('hi')] },
    ],
  ])('%s', (_, returned, expected) => {
    expect(toCallToolResult(returned)).toStrictEqual(expected)
  })

  it.each([
    ['bytes', new Uint8Array([104, 105])],
    ['a view of bytes', new Uint8Array([0, 104, 105, 0]).subarray(1, 3)],
    ['a Buffer', Buffer.from('hi')],
    ['an ArrayBuffer', new Uint8Array([104, 105]).buffer],
    ['base64 in lines', 'aG\nk='],
  ])('binary data may be %s', (_, data) => {
    expect(toCallToolResult({ content: [{ type: 'audio', data, mimeType: 'audio/wav' }] })).toEqual({
      content: [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }],
    })
  })

  it.each([
    ['undefined', undefined, /got undefined/],
    ['null', null, /got null/],
    ['a number', 5, /got a number/],
    ['a BigInt', 5n, /got a bigint/],
    ['an array', [text('x')], /got an array/],
    ['an empty object', {}, /neither 'content' nor/],
    ['content of no array', { content: 'hi' }, /content must be an array, got a string/],
    ['a block that is none', { content: [null] }, /content\[0\] is null/],
    ['a block without a type', { content: [{ text: 'x' }] }, /content\[0\].type is undefined/],
    ['an unknown block', { content: [text('a'), { type: 'video' }] }, /content\[1\].type is "video"/],
    [
      'text that is none',
      { content: [{ type: 'text', text: 5 }] },
      /content\[0\].text must be a string, got a number/,
    ],
    [
      'an image without data',
      { content: [{ type: 'image', mimeType: 'image/png' }] },
      /data must be base64 text or bytes/,
    ],
    ['an empty image', { content: [{ type: 'image', data: '', mimeType: 'image/png' }] }, /data is empty/],
    ['an image without type', { content: [{ type: 'image', data: 'aGk=' }] }, /mimeType must be a string/],
    [
      'a data URL',
      { content: [{ type: 'image', data: 'data:image/png;base64,aGk=', mimeType: 'image/png' }] },
      /leave out/,
    ],
    [
      'a resource without uri',
      { content: [{ type: 'resource', resource: { text: 'x' } }] },
      /resource.uri must be/,
    ],
    [
      'a resource without content',
      { content: [{ type: 'resource', resource: { uri: 'x' } }] },
      /resource.text must be/,
    ],
    ['a link without name', { content: [{ type: 'resource_link', uri: 'x' }] }, /content\[0\].name must be/],
    ['isError of no boolean', { content: [], isError: 'yes' }, /isError must be a boolean/],
    ['circular structure', { structuredContent: circular }, /structuredContent: .*circular/],
    ['a BigInt inside', { structuredContent: { n: 1n } }, /structuredContent: .*BigInt/],
    ['endless depth', { structuredContent: { deep } }, /structuredContent: /],
    ['structured content of no object', { structuredContent: [1] }, /must be an object, got an array/],
    ['a circular _meta', { content: [], _meta: circular }, /_meta: .*circular/],
    [
      'a getter that throws',
      {
        get content() {
          throw new Error('boo')
        },
      },
      /cannot be read: boo/,
    ],
  ])('junk becomes an error result: %s', (_, returned, message) => {
    const result = toCallToolResult(returned)
    expect(result.isError).toBe(true)
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(message) }])
    expect(() => JSON.stringify(result)).not.toThrow()
  })
})

describe('structured content and an output schema', () => {
  const schema = compileSchema({ n: z.number(), unit: z.string().default('m') }, 'output', 'test')

  it('is checked, and goes out with defaults', async () => {
    expect(schema.jsonSchema()).toMatchObject({ required: ['n', 'unit'] })
    expect(
      await checkStructuredContent(toCallToolResult({ structuredContent: { n: 1 } }), schema),
    ).toMatchObject({
      structuredContent: { n: 1, unit: 'm' },
    })
  })

  it('must fit', async () => {
    const result = await checkStructuredContent(toCallToolResult({ structuredContent: { n: 'x' } }), schema)
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/does not fit its output schema:\n- n: .*expected number/)
    expect(result.structuredContent).toBeUndefined()
  })

  it('must be there, but for errors', async () => {
    expect(await checkStructuredContent(toCallToolResult('text'), schema)).toMatchObject({ isError: true })
    const failure = toCallToolResult({ content: [text('no')], isError: true })
    expect(await checkStructuredContent(failure, schema)).toBe(failure)
  })
})
