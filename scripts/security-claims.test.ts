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

/** What happened to programs of this kind, as it was collected: none of it may be left out. */
const incidents = `
  CVE-2022-24757 CVE-2022-29241 CVE-2023-40170 CVE-2024-13059 CVE-2024-22421 CVE-2024-28224 CVE-2024-37032
  CVE-2025-47269 CVE-2025-49596 CVE-2025-52882 CVE-2025-53109 CVE-2025-54135 CVE-2025-54136 CVE-2025-54795
  CVE-2025-55284 CVE-2025-58764 CVE-2025-59536 CVE-2025-64496 CVE-2025-65099 CVE-2025-6514 CVE-2025-66032
  CVE-2025-66414 CVE-2025-66416 CVE-2025-69222 CVE-2026-109444 CVE-2026-112346 CVE-2026-21852
  CVE-2026-22252 CVE-2026-22812 CVE-2026-22813 CVE-2026-24763 CVE-2026-25253 CVE-2026-25536 CVE-2026-25593
  CVE-2026-25725 CVE-2026-26322 CVE-2026-27670 CVE-2026-28453 CVE-2026-28472 CVE-2026-30352 CVE-2026-30623
  CVE-2026-31861 CVE-2026-31862 CVE-2026-31975 CVE-2026-32025 CVE-2026-32061 CVE-2026-32625 CVE-2026-33574
  CVE-2026-33718 CVE-2026-39861 CVE-2026-40171 CVE-2026-42271 CVE-2026-44727 CVE-2026-45321 CVE-2026-46406
  CVE-2026-48710 CVE-2026-51994 CVE-2026-52869 CVE-2026-54316 CVE-2026-59723 CVE-2026-79747
  GHSA-4jm9-m3fr-9jpx GHSA-mmgp-wc2j-qcv7 GHSA-rqpp-rjj8-7wv8
`
  .trim()
  .split(/\s+/)

/** Those that nobody gave a number. */
const unnumbered = [
  'a hundred thousand instances',
  'a secret that signs tokens was in the source',
  "a link that opened it with the link's own arguments",
  "repository's `.mcp.json`",
  'Poisoned tools',
  'Names mistaken for others',
  'The confused deputy',
  'Tokens passed on',
  'Annotations and headers',
  'Results that give orders',
  'Exhaustion by schemas',
  '`npx -y package`',
  'Secrets in entries',
  'nx, August 2025',
  'Mini Shai-Hulud',
]

it('no incident is left out', () => {
  const told = rowsOf(read('docs/incidents.md')).map((row) => row.split(' | ')[0])
  expect(new Set(incidents).size).toBe(64)
  const isThere = (one: string) => told.some((row) => new RegExp(`${one}(?![\\w-])`).test(row ?? ''))
  expect([...incidents, ...unnumbered].filter((one) => !isThere(one))).toEqual([])
})

it('every incident names a test that is there, or says why there is none', () => {
  const rows = rowsOf(read('docs/incidents.md'))
  const without = rows.filter((row) => /^\| .+ \| .+ \| (does not apply|not covered yet) \|$/.test(row))
  expect(without.length).toBeLessThan(5)
  expect(unshown(rows.filter((row) => !without.includes(row)))).toEqual([])
})
