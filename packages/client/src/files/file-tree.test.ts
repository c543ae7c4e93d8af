import type { SessionFolder } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { foldersAbove, treeMove, treeRows } from './file-tree.ts'

const folder = (...names: string[]): SessionFolder => ({
  entries: names.map((name) => ({
    name: name.replace('/', ''),
    kind: name.endsWith('/') ? 'directory' : 'file',
  })),
  complete: true,
})
const folders = new Map([
  ['', folder('src/', 'docs/', 'a.md')],
  ['src', folder('deep/', 'b.ts')],
  ['src/deep', folder()],
])
const rows = treeRows(folders, new Set(['src', 'src/deep', 'gone']))

it('has a row for all that is in sight', () => {
  expect(rows.map(({ path, level, isOpen, content }) => [path, level, isOpen, content])).toEqual([
    ['src', 1, true, 'listed'],
    ['src/deep', 2, true, 'empty'],
    ['src/b.ts', 2, false, 'loading'],
    ['docs', 1, false, 'loading'],
    ['a.md', 1, false, 'loading'],
  ])
  expect(rows.map(({ position, of }) => `${position}/${of}`)).toEqual(['1/3', '1/2', '2/2', '2/3', '3/3'])
})

describe('a key', () => {
  it.each([
    ['ArrowDown', 'src', { focus: 'src/deep' }],
    ['ArrowDown', 'a.md', undefined],
    ['ArrowUp', 'docs', { focus: 'src/b.ts' }],
    ['Home', 'a.md', { focus: 'src' }],
    ['End', 'src', { focus: 'a.md' }],
    ['ArrowRight', 'docs', { open: 'docs' }],
    ['ArrowRight', 'src', { focus: 'src/deep' }],
    ['ArrowRight', 'src/deep', undefined],
    ['ArrowRight', 'a.md', undefined],
    ['ArrowLeft', 'src', { close: 'src' }],
    ['ArrowLeft', 'src/b.ts', { focus: 'src' }],
    ['ArrowLeft', 'a.md', undefined],
    ['Enter', 'a.md', { choose: 'a.md' }],
    ['Enter', 'docs', { open: 'docs' }],
    [' ', 'src', { close: 'src' }],
    ['D', 'src', { focus: 'src/deep' }],
    ['d', 'src/deep', { focus: 'docs' }],
    ['x', 'src', undefined],
    ['Tab', 'src', undefined],
    ['ArrowDown', 'nothing', undefined],
  ])('%s at %s', (key, at, move) => {
    expect(treeMove(key, rows, at)).toEqual(move)
  })
})

it('knows the folders above a path', () => {
  expect(foldersAbove('a/b/c.ts')).toEqual(['a', 'a/b'])
  expect(foldersAbove('c.ts')).toEqual([])
})
