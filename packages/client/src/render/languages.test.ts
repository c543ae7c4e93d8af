import { expect, it } from 'vitest'
import { grammarNames, loadGrammar } from './grammars.ts'
import { languageName, languageOfFile, languages } from './languages.ts'

it.each([
  ['TypeScript', 'typescript'],
  ['ts', 'typescript'],
  ['sh', 'bash'],
  ['c++', 'c'],
  ['yml', 'yaml'],
  ['klingon', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
  ['', undefined],
  [undefined, undefined],
])('knows %j as %j', (written, name) => expect(languageName(written)).toBe(name))

it.each([
  ['src/a.test.TS', 'typescript'],
  ['Dockerfile', 'docker'],
  ['a/Makefile', 'make'],
  ['x.unknown', undefined],
])('knows the file %j as %j', (file, name) => expect(languageOfFile(file)).toBe(name))

it('has a grammar for every language', async () => {
  expect(grammarNames).toEqual([...languages])
  expect((await loadGrammar('json'))[0]?.name).toBe('json')
  expect(await loadGrammar('constructor')).toEqual([])
})
