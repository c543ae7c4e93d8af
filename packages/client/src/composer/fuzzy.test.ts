import { expect, test } from 'vitest'
import { fitsWords, fuzzyRank } from './fuzzy.ts'

test('letters must all be there, in their order', () => {
  const found = (query: string) => fuzzyRank(query, ['compact'], (name) => [name])
  expect(found('cmp')).toEqual(['compact'])
  expect(found('pmc')).toEqual([])
  expect(found('compactt')).toEqual([])
})

test('an empty query fits everything and keeps the order', () => {
  expect(fuzzyRank('', ['b', 'a', 'c'], (name) => [name])).toEqual(['b', 'a', 'c'])
})

test('a start beats a word start beats letters in between', () => {
  const names = ['autocompact', 'team:compile', 'compact']
  expect(fuzzyRank('comp', names, (name) => [name])).toEqual(['compact', 'team:compile', 'autocompact'])
})

test('the first letters of words find a long name', () => {
  expect(fuzzyRank('sr', ['usage-report', 'security-review'], (name) => [name])[0]).toBe('security-review')
})

test('an alias finds its command, but a name comes before an alias', () => {
  const commands = [
    { name: 'code-review', aliases: ['review'] },
    { name: 'review', aliases: [] },
  ]
  const found = fuzzyRank('review', commands, ({ name, aliases }) => [name, ...aliases])
  expect(found.map(({ name }) => name)).toEqual(['review', 'code-review'])
})

test('case and spaces in the query do not matter', () => {
  expect(fuzzyRank('Se Re', ['security-review'], (name) => [name])).toHaveLength(1)
})

test.each([
  ['touch', 'Take out of the archive', false],
  ['arch', 'Take out of the archive', true],
  ['tooa', 'Take out of the archive', true],
  ['ns', 'New session', true],
  ['nese', 'New session', true],
  ['new se', 'New session', true],
  ['ess', 'New session', true],
  ['nss', 'New session', false],
  ['', 'New session', true],
])('%s fits the words of %s: %s', (query, name, fits) => expect(fitsWords(query, name)).toBe(fits))
