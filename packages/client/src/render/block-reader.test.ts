import { describe, expect, it } from 'vitest'
import { createBlockReader, type MarkdownBlock } from './block-reader.ts'

const text =
  '# Title\n\nFirst *paragraph* of it.\n\n- one\n- two\n\n```js\nlet a = 1\n\nlet b = 2\n```\n\nLast words come now.'

describe('createBlockReader', () => {
  it('gives the same objects for blocks that did not change, at every cut', () => {
    const reader = createBlockReader()
    let before = reader.read('', true)
    for (let end = 1; end <= text.length; end += 1) {
      const blocks = reader.read(text.slice(0, end), true)
      for (const [index, block] of before.slice(0, -1).entries()) expect(blocks[index]).toBe(block)
      before = blocks
    }
    expect(before.map((block) => block.token.type)).toEqual([
      'heading',
      'paragraph',
      'list',
      'code',
      'paragraph',
    ])
  })

  it('ends with what the whole text gives at once', () => {
    const reader = createBlockReader()
    for (let end = 1; end <= text.length; end += 7) reader.read(text.slice(0, end), true)
    const shape = (blocks: readonly MarkdownBlock[]) =>
      blocks.map(({ start, token }) => [start, token.type, token.raw.trim()])
    expect(shape(reader.read(text, false))).toEqual(shape(createBlockReader().read(text, false)))
  })

  it('keeps the place of a block while the text grows', () => {
    const reader = createBlockReader()
    const first = reader.read('One.\n\nTwo', true)
    const second = reader.read('One.\n\nTwo and more.\n\nThree', true)
    expect(second.slice(0, 2).map((block) => block.start)).toEqual(first.map((block) => block.start))
  })

  it('finds links that are defined after their use', () => {
    const reader = createBlockReader()
    reader.read('See [docs][d].\n\nMore.\n\nAnd', true)
    const blocks = reader.read(
      'See [docs][d].\n\nMore.\n\nAnd so on.\n\n[d]: https://a.example\n\nThe end.',
      false,
    )
    expect(JSON.stringify(blocks[0])).toContain('https://a.example')
  })

  it('reads another text anew', () => {
    const reader = createBlockReader()
    reader.read('One.\n\nTwo.\n\nThree.', true)
    expect(reader.read('Other.', true).map((block) => block.token.raw)).toEqual(['Other.'])
  })
})
