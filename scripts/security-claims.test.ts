import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The rows of all tables in a text, but for heads and their lines. */
function rowsOf(text: string): string[] {
  return text
    .split('\n')
    .filter(
      (line, at, lines) => line.startsWith('|') && !line.startsWith('|-') && !lines[at + 1]?.startsWith('|-'),
    )
}

/** Of rows that end with a test, those whose test is not there, not named as it should be, or skipped. */
function unshown(rows: readonly string[]): string[] {
  return rows.filter((row) => {
    const [, file, title] = /^\| .+ \| \[.+\]\(\.\.\/(.+?)\): “(.+)” \|$/.exec(row) ?? []
    return file === undefined || title === undefined || !isRun(read(file), title)
  })
}

const literals = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** Whether a test has this in its title. What a condition skips runs where it can: as root, or with a sandbox. */
function isRun(file: string, title: string): boolean {
  const text = withoutComments(file)
  return [...text.matchAll(literals)].some((one) => one[0].includes(title) && isTitle(text, one.index))
}

/** Whether the text that begins there names a test or a case: it stands in a call for one, and in no body, or is a case's own. */
function isTitle(text: string, index: number): boolean {
  const before = text.slice(0, index)
  if (/\b(id|title):\s*$/.test(before)) return true
  const call = [...before.matchAll(/^[ \t]*(it|test|describe)\b(?=[.(<])/gm)].at(-1)
  if (!call) return false
  const head = before.slice(call.index).replace(literals, '')
  return head.split('{').length === head.split('}').length && !/\.(skip|todo)\(/.test(head)
}

/** So that what they say is not taken for a test. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
}

describe('a promise is shown by', () => {
  it.each([
    [`it('is kept', () => {\n})`, true],
    [`it.skipIf(!here).each([1])(\n  'is kept, %s',\n  () => {})`, true],
    [`it.each([['is kept', 1], ['b', 2]])('%s', () => {})`, true],
    [`it.each([['a', () => {\n}], ['is kept', 2]])('%s', () => {})`, true],
    [`  {\n    id: 'area/is kept',\n`, true],
    [`// it('is kept')`, false],
    [`it('does', () => {\n  expect(a).toBe('is kept')\n})`, false],
    [`const name = 'is kept'`, false],
    [`it.skip('is kept', () => {\n})`, false],
  ])('%j: %s', (text, expected) => {
    expect(isRun(text, 'is kept')).toBe(expected)
  })
})

it('every promise of the security page names a test that is there', () => {
  const page = read('docs/security.md')
  const rows = rowsOf(page.slice(page.indexOf('| promise | shown by |'), page.indexOf('## Audit')))
  expect(rows.length).toBeGreaterThan(30)
  expect(unshown(rows)).toEqual([])
})

it('every incident names a test that is there, or says why there is none', () => {
  const rows = rowsOf(read('docs/incidents.md'))
  expect(rows.length).toBeGreaterThan(90)
  const without = rows.filter((row) => /^\| .+ \| .+ \| (does not apply|not covered yet) \|$/.test(row))
  expect(without.length).toBeLessThan(5)
  expect(unshown(rows.filter((row) => !without.includes(row)))).toEqual([])
})
