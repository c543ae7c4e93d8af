import { expect, test } from 'vitest'
import {
  canBeMentioned,
  insertCommand,
  insertMemory,
  insertMention,
  type Trigger,
  triggerAt,
} from './triggers.ts'

/** The caret is where the bar stands. */
function at(marked: string): Trigger | undefined {
  const caret = marked.indexOf('|')
  return triggerAt(marked.replace('|', ''), caret)
}

test.each([
  ['/|', { kind: 'command', query: '', start: 0, end: 1 }],
  ['/com|', { kind: 'command', query: 'com', start: 0, end: 4 }],
  ['/co|mpact now', { kind: 'command', query: 'co', start: 0, end: 8 }],
  ['/team:dep|', { kind: 'command', query: 'team:dep', start: 0, end: 9 }],
  ['@|', { kind: 'mention', query: '', start: 0, end: 1 }],
  ['look at @src/a|', { kind: 'mention', query: 'src/a', start: 8, end: 14 }],
  ['a\n@re|', { kind: 'mention', query: 're', start: 2, end: 5 }],
  ['/review @sr|', { kind: 'mention', query: 'sr', start: 8, end: 11 }],
  ['see @"my fi|', { kind: 'mention', query: 'my fi', start: 4, end: 11 }],
  ['see @"my fi|le.txt" and', { kind: 'mention', query: 'my fi', start: 4, end: 18 }],
  ['#|', { kind: 'memory', query: '', start: 0, end: 1 }],
  ['# use| tabs', { kind: 'memory', query: '', start: 0, end: 10 }],
  ['#use @sr|', { kind: 'mention', query: 'sr', start: 5, end: 8 }],
])('%s opens a list', (marked, expected) => {
  expect(at(marked)).toEqual(expected)
})

test.each([
  '|/com',
  '/compact |',
  '/compact now|',
  ' /com|',
  'a /com|',
  '/etc/ho|',
  'me@example|',
  '@src |',
  '@"done" |',
  '|# note',
  'a # note|',
  ' # note|',
  '## Heading|',
  '#12 is broken|',
  '#!/bin/sh|',
  '# Title\nand more|',
  '',
])('%s opens none', (marked) => {
  expect(at(marked)).toBeUndefined()
})

test('a command takes the place of what was typed, with room for its arguments', () => {
  const trigger = at('/dep|')
  if (trigger?.kind !== 'command') throw new Error('no command')
  expect(insertCommand('/dep', trigger, 'team:deploy')).toEqual({ text: '/team:deploy ', caret: 13 })
  const inner = at('/de|p now')
  if (inner?.kind !== 'command') throw new Error('no command')
  expect(insertCommand('/dep now', inner, 'deploy')).toEqual({ text: '/deploy now', caret: 8 })
})

test('a note becomes a request, which can be read before it is sent', () => {
  const request = (note: string) => `Write down: ${note}`
  expect(insertMemory('# use tabs ', request)).toEqual({ text: 'Write down: use tabs', caret: 20 })
  expect(insertMemory('#', request)).toEqual({ text: 'Write down: ', caret: 12 })
})

function mention(marked: string, path: string, kind: 'file' | 'directory') {
  const trigger = at(marked)
  if (trigger?.kind !== 'mention') throw new Error('no mention')
  return insertMention(marked.replace('|', ''), trigger, path, kind)
}

test('a file ends the mention', () => {
  expect(mention('see @re|', 'docs/readme.md', 'file')).toEqual({ text: 'see @docs/readme.md ', caret: 20 })
  expect(mention('see @re| please', 'readme.md', 'file')).toEqual({
    text: 'see @readme.md please',
    caret: 15,
  })
})

test('a directory stays open, also in quotes', () => {
  const plain = mention('@s|', 'src', 'directory')
  expect(plain).toEqual({ text: '@src/', caret: 5 })
  expect(triggerAt(plain.text, plain.caret)).toMatchObject({ kind: 'mention', query: 'src/' })
  const quoted = mention('@m|', 'my files', 'directory')
  expect(quoted).toEqual({ text: '@"my files/"', caret: 11 })
  expect(triggerAt(quoted.text, quoted.caret)).toMatchObject({ kind: 'mention', query: 'my files/', end: 12 })
  expect(mention('@"my files/|"', 'my files/a b.txt', 'file').text).toBe('@"my files/a b.txt" ')
})

test('paths with spaces are quoted, and those that cannot be are not offered', () => {
  expect(mention('@a|', 'a b.txt', 'file').text).toBe('@"a b.txt" ')
  expect(canBeMentioned('a"b.txt')).toBe(false)
  expect(canBeMentioned('a b.txt')).toBe(true)
})

test('nothing that leads out of the directory is offered', () => {
  for (const path of ['..', '../a', 'a/../../b', 'a/..', '/etc/hosts', '..\\a'])
    expect(canBeMentioned(path)).toBe(false)
  for (const path of ['..a', 'a..', 'a/..b/c', '.env', '...']) expect(canBeMentioned(path)).toBe(true)
})
