import { expect, it } from 'vitest'
import { promptText } from './prompt-text.ts'

const text = (words: string) => ({ type: 'text' as const, text: words })
const image = {
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png', data: 'AAAA' },
}
const file = text('<file name="notes.txt">\nlong\n\nlines\n</file>')

it('is what was typed, wherever the attachments stand', () => {
  expect(promptText('  hello ')).toBe('hello')
  expect(promptText([file, image, text('What is this?')])).toBe('What is this?')
  expect(promptText([text('Compare'), file, text('with that')])).toBe('Compare with that')
  expect(promptText(`${'x'.repeat(600)}`)).toHaveLength(500)
})

it('names what was attached where nothing was typed', () => {
  expect(promptText([file, image, text('  ')])).toBe('notes.txt [image]')
  expect(promptText([{ ...image, type: 'document', title: 'plan.pdf' }])).toBe('plan.pdf')
})

it('takes words that only mention a file for words', () => {
  expect(promptText('<file name="a">\nx\n</file> what is it?')).toContain('what is it?')
  expect(promptText([text('see <file name="a">\nx\n</file>')])).toContain('see')
})
