import { describe, expect, it } from 'vitest'
import { contentParts } from './content-blocks.ts'

const kinds = (content: unknown) => contentParts(content).parts.map((part) => part.kind)

describe('contentParts', () => {
  it('reads texts, JSON and lists', () => {
    expect(contentParts('hello').parts).toEqual([{ kind: 'text', text: 'hello' }])
    expect(contentParts([{ type: 'text', text: '{"a":1}' }]).parts).toEqual([
      { kind: 'json', value: { a: 1 } },
    ])
    expect(kinds(['{broken', { type: 'text', text: '42' }])).toEqual(['text', 'text'])
    expect(kinds(undefined)).toEqual([])
  })

  it('takes pictures of known kinds, in both forms', () => {
    const mcp = { type: 'image', data: 'iVBORw0K', mimeType: 'image/png' }
    const model = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'iVBO\nRw0K' } }
    expect(contentParts([mcp, model]).parts).toEqual([
      { kind: 'image', source: 'data:image/png;base64,iVBORw0K', mimeType: 'image/png' },
      { kind: 'image', source: 'data:image/jpeg;base64,iVBORw0K', mimeType: 'image/jpeg' },
    ])
  })

  it.each([
    { type: 'image', data: 'PHN2Zz4=', mimeType: 'image/svg+xml' },
    { type: 'image', data: 'x" onerror="alert(1)', mimeType: 'image/png' },
    { type: 'image', data: 'A'.repeat(11_000_000), mimeType: 'image/png' },
    { type: 'image', source: { type: 'url', url: 'https://tracker.example/x.png' } },
    { type: 'image' },
  ])('refuses other pictures', (block) => expect(kinds([block])).toEqual(['refused_image']))

  it('reads resources, links and sounds, and shows the rest as data', () => {
    expect(contentParts([{ type: 'resource', resource: { uri: 'x://y', text: 'inside' } }]).parts).toEqual([
      { kind: 'text', text: 'inside' },
    ])
    expect(
      kinds([{ type: 'resource', resource: { uri: 'x://y', blob: 'AAAA', mimeType: 'application/pdf' } }]),
    ).toEqual(['link'])
    expect(contentParts([{ type: 'resource_link', uri: 'javascript:alert(1)', name: 'n' }]).parts).toEqual([
      { kind: 'link', name: 'n', address: 'javascript:alert(1)', description: '' },
    ])
    expect(contentParts([{ type: 'audio', data: 'AAAA', mimeType: 'audio/x-wav' }]).parts).toMatchObject([
      { kind: 'audio', fileName: 'audio.xwav' },
    ])
    expect(kinds([{ type: 'future', x: 1 }, 7, null, { type: 'resource' }])).toEqual([
      'other',
      'other',
      'other',
      'other',
    ])
  })

  it('leaves out what is too many', () => {
    expect(contentParts(Array.from({ length: 130 }, () => 'x'))).toMatchObject({ more: 30 })
  })
})
