/** What is left out of the page has to be left out whole, and nothing else with it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { absentModule } from '../without-json-schema.ts'
import { dropSummaries } from '../without-summaries.ts'

const shared = createRequire(import.meta.url).resolve('@dorkos/shared/package.json')
const core = join(dirname(createRequire(shared).resolve('zod')), 'v4/core')

it.each(['json-schema-processors.js', 'to-json-schema.js'])(
  '%s: the same names, which say why',
  async (name) => {
    const file = join(core, name)
    const code = absentModule(readFileSync(file, 'utf8'))
    const absent = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    expect(Object.keys(absent).toSorted()).toEqual(Object.keys(await import(file)).toSorted())
    for (const [key, exported] of Object.entries(absent)) {
      const method = key.startsWith('create') ? (exported as () => unknown)() : exported
      expect(method).toThrow('JSON schemas are not made in the page')
    }
  },
)

it('endpoints have everything but their summaries', async () => {
  const file = join(dirname(shared), 'dist/approval-endpoints.js')
  const code = readFileSync(file, 'utf8')
  const { approvalEndpoints } = await import(file)
  const kept = dropSummaries(code)
  expect([...code.matchAll(/^ *summary:/gm)]).toHaveLength(Object.keys(approvalEndpoints).length)
  expect(kept).not.toContain('summary')
  expect(kept.split('\n')).toEqual(code.split('\n').filter((line) => !/^ *summary:/.test(line)))
})
