import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const shown = page.slice(page.indexOf('## What shows it'), page.indexOf('## Audit'))
const rows = [...shown.matchAll(/^\| (.+) \| \[.+\]\(\.\.\/(.+?)\): “(.+)” \|$/gm)].map(
  ([, promise, file, title]) => ({
    promise,
    file: file ?? '',
    title: title ?? '',
  }),
)

it('every promise of the security page names a test that is there', () => {
  // The table's head and its line are no rows.
  expect(rows).toHaveLength(shown.split('\n').filter((line) => line.startsWith('|')).length - 2)
  expect(rows.length).toBeGreaterThan(30)
  const missing = rows.filter(({ file, title }) => !readFileSync(join(root, file), 'utf8').includes(title))
  expect(missing).toEqual([])
})
