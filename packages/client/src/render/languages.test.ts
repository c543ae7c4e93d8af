import { expect, it } from 'vitest'
import { languageName, languageOfFile, loadLanguage } from './languages.ts'

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

it('loads nothing for what it does not know', async () => {
  expect(await loadLanguage('constructor')).toEqual([])
  expect((await loadLanguage('json'))[0]?.name).toBe('json')
})
