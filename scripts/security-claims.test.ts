import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

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

/** What a condition skips runs where it can: as root, or with a sandbox. */
function isRun(text: string, title: string): boolean {
  const at = text.indexOf(title)
  return at >= 0 && !/\.(skip|todo)\([^)]*$/.test(text.slice(Math.max(0, at - 200), at))
}

it('every promise of the security page names a test that is there', () => {
  const page = read('docs/security.md')
  const rows = rowsOf(page.slice(page.indexOf('## What shows it'), page.indexOf('## Audit')))
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
