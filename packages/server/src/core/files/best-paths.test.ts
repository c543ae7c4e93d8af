import { fuzzyFits, fuzzyQuery, fuzzyScore, fuzzyText } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { bestPaths } from './best-paths.ts'

const ranked = (typed: string, ...paths: string[]) =>
  bestPaths(fuzzyQuery(typed), paths.toReversed().map(fuzzyText), 100)

describe('what fits', () => {
  it.each([
    ['abc', 'a/b/c.ts', true],
    ['abc', 'acb', false],
    ['ABC', 'xaxbxc', true],
    ['srcapp', 'src/app.ts', true],
    ['s r c', 'src', true],
    ['./src', 'src/a.ts', true],
    ['/src', 'src/a.ts', true],
    ['src/', 'src/a.ts', true],
    ['aa', 'a', false],
    ['ü', 'straße/über.md', true],
  ])('%s in %s: %s', (typed, path, expected) => {
    expect(fuzzyFits(fuzzyQuery(typed), fuzzyText(path))).toBe(expected)
    expect(Number.isFinite(fuzzyScore(fuzzyQuery(typed), fuzzyText(path)))).toBe(expected)
  })
})

describe('the better one comes first', () => {
  it.each([
    ['the name before a folder of that name', 'router', ['src/http/router.ts', 'src/router/index.ts']],
    ['the whole name before a part of one', 'app.ts', ['src/deep/er/app.ts', 'src/my-app.ts']],
    ['the name without its ending', 'guard', ['src/http/guard.ts', 'src/guard-require.ts']],
    ['beginnings of words', 'sw', ['src/session-watch.ts', 'src/answer.ts']],
    ['capitals as beginnings', 'sw', ['src/sessionWatch.ts', 'src/answer.ts']],
    ['letters that stand together', 'auth', ['core/auth.ts', 'core/a-u-t-h.ts']],
    ['a short path', 'readme', ['README.md', 'packages/server/README.md']],
    ['the case that was typed', 'README', ['README.md', 'readme.md']],
    ['a folder that was typed with its file', 'http/app', ['src/http/app.ts', 'src/https/other/apple.ts']],
    ['a path that is spelled out', 'src/a.ts', ['src/a.ts', 'src/app/a.ts']],
    // A first letter early in the path must not hide the better place later on.
    ['the best place, not the first', 'test', ['the/east/test.ts', 'the/east/tiles.ts']],
  ])('%s', async (_name, typed, paths) => {
    expect(await ranked(typed, ...paths)).toEqual(
      paths.filter((path) => fuzzyFits(fuzzyQuery(typed), fuzzyText(path))),
    )
    expect((await ranked(typed, ...paths))[0]).toBe(paths[0])
  })

  it('equal ones in a fixed order', async () => {
    expect(await ranked('x', 'b/x.ts', 'a/x.ts', 'c/x.ts')).toEqual(['a/x.ts', 'b/x.ts', 'c/x.ts'])
  })
})

it('keeps the best few of many as a full sort would', async () => {
  const paths = Array.from({ length: 3000 }, (_, index) => {
    const hash = (index * 2654435761) % 4294967296
    return `src/${hash.toString(36)}/${(hash >>> 3).toString(36)}-${index % 7 === 0 ? 'Abc' : 'axbxc'}.ts`
  })
  const query = fuzzyQuery('abc')
  const all = paths
    .filter((path) => fuzzyFits(query, fuzzyText(path)))
    .map((path) => ({ path, score: fuzzyScore(query, fuzzyText(path)) }))
    .toSorted((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
  expect(await bestPaths(query, paths.map(fuzzyText), 25)).toEqual(all.slice(0, 25).map(({ path }) => path))
})

it('a workspace of endless names is still answered, by names alone', async () => {
  const folder = 'a'.repeat(200)
  const paths = Array.from({ length: 40_000 }, (_, index) => fuzzyText(`${folder}/${index}/${folder}`))
  for (const length of [60, 150]) {
    const name = 'a'.repeat(length)
    expect((await bestPaths(fuzzyQuery(name), [...paths, fuzzyText(name)], 3))[0]).toBe(name)
  }
})

it('a long query is found as it stands', async () => {
  const long = `src/${'deep/'.repeat(20)}name.ts`
  expect(await ranked(long, long, `${long}x`, long.replace('/', '/x/'))).toEqual([long, `${long}x`])
})
