import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { absoluteWords } from './absolute-words.ts'

const folder = mkdtempSync(join(tmpdir(), 'dorkos-words-'))
mkdirSync(join(folder, 'test/dist'), { recursive: true })
for (const file of ['x.js', 'notes', 'test/dist/server.js']) writeFileSync(join(folder, file), '')
afterAll(() => rmSync(folder, { recursive: true }))

it.each(['./x.js', 'x.js', './test', 'test/dist/server.js', '../dorkos-words', './test/../x.js'])(
  'makes %s absolute where it is here',
  (word) => {
    const isThere = word !== '../dorkos-words'
    const { words, changed } = absoluteWords(['node', word], folder)
    expect(words).toEqual(['node', isThere ? join(folder, word) : word])
    expect(changed).toEqual(isThere ? [{ from: word, to: join(folder, word) }] : [])
  },
)

it.each([
  'test',
  'notes',
  '.',
  '..',
  './gone.js',
  '-x.js',
  '@scope/x',
  '/etc/passwd',
  '$' + '{HOME}/x.js',
  'a\0b/c.js',
])('leaves %j alone', (word) => {
  expect(absoluteWords([word], folder)).toEqual({ words: [word], changed: [] })
})
