import { expect, test } from 'vitest'
import { type Attachment, classify, decodeText, fits, limits, scaledSize } from './attachments.ts'
import { fromContent, toContent, typedText } from './message-content.ts'

test.each([
  ['a.png', 'image/png', 10, 'image'],
  ['a.JPG', 'image/jpeg', 40_000_000, 'image'],
  ['a.pdf', 'application/pdf', 10, 'document'],
  ['a.md', 'text/markdown', 10, 'text'],
  ['a.json', 'application/json; charset=utf-8', 10, 'text'],
  ['drawing.svg', 'image/svg+xml', 10, 'text'],
  ['a.rs', '', 10, 'perhaps-text'],
  ['a.bin', 'application/octet-stream', 10, 'perhaps-text'],
])('%s (%s) is taken', (name, type, size, kind) => {
  expect(classify({ name, type, size })).toBe(kind)
})

test.each([
  ['a.bmp', 'image/bmp', 10, 'type'],
  ['a.mp4', 'video/mp4', 10, 'type'],
  ['a.zip', 'application/zip', 10, 'type'],
  ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 10, 'type'],
  ['a.txt', 'text/plain', 0, 'empty'],
  ['a.txt', 'text/plain', limits.text + 1, 'text_size'],
  ['a.pdf', 'application/pdf', limits.document + 1, 'document_size'],
  ['a.png', 'image/png', limits.imageFile + 1, 'image_size'],
])('%s (%s, %i bytes) is refused', (name, type, size, refused) => {
  expect(classify({ name, type, size })).toEqual({ refused })
})

test('bytes decide whether it is text', () => {
  expect(decodeText(new TextEncoder().encode('grüße'))).toBe('grüße')
  expect(decodeText(new Uint8Array([0x66, 0x00, 0x67]))).toBeUndefined()
  expect(decodeText(new Uint8Array([0xff, 0xfe, 0x41]))).toBeUndefined()
})

function image(id: string, length = 4): Attachment {
  return { id, kind: 'image', name: `${id}.png`, mediaType: 'image/png', data: 'A'.repeat(length) }
}

test('there is an end to number and size', () => {
  const many = Array.from({ length: limits.count }, (_, index) => image(`${index}`))
  expect(fits(many, image('next'))).toBe('count')
  expect(fits(many.slice(1), image('next'))).toBeUndefined()
  expect(fits([image('a', limits.total)], image('b', 1))).toBe('total')
})

test('what the limits let through, the server takes', () => {
  // contentBlockSchema allows 20,000,000 characters of base64 and 1,000,000 of text; a request 32 MiB.
  expect(Math.ceil(limits.document / 3) * 4).toBeLessThan(20_000_000)
  expect(limits.text).toBeLessThan(1_000_000 - 1000)
  expect(limits.total).toBeLessThan(32 * 1024 * 1024)
})

test('a large image is made smaller in its proportions', () => {
  expect(scaledSize(4000, 1000)).toEqual({ width: 2000, height: 500 })
  expect(scaledSize(100, 50)).toEqual({ width: 100, height: 50 })
  expect(scaledSize(100_000, 3)).toEqual({ width: 2000, height: 1 })
})

test('a message and its content become one another', () => {
  const attachments: Attachment[] = [
    { id: '0', kind: 'image', name: '', mediaType: 'image/png', data: 'AAAA' },
    { id: '1', kind: 'document', name: 'a.pdf', mediaType: 'application/pdf', data: 'BBBB' },
    { id: '2', kind: 'text', name: 'notes.md', mediaType: 'text/plain', data: '# Notes\n</file>\n' },
  ]
  const content = toContent('look', attachments)
  expect(fromContent(content)).toEqual({ text: 'look', attachments })
  expect(typedText(content)).toBe('look')
  // The CLI takes a command from the last text.
  expect((content as unknown[]).at(-1)).toEqual({ type: 'text', text: 'look' })
  expect(toContent('only text', [])).toBe('only text')
  expect(toContent('', attachments)).toHaveLength(3)
})

test('a file name cannot break out of its frame', () => {
  const content = toContent('', [
    { id: '0', kind: 'text', name: 'a">\n<b', mediaType: 'text/plain', data: 'x' },
  ])
  expect(content).toEqual([{ type: 'text', text: '<file name="a____b">\nx\n</file>' }])
})
