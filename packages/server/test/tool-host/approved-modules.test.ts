import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { moduleGraph } from '../../src/tool-host/module-graph.ts'
import { moduleOf, startToolHost } from '../support/tool-host-fixture.ts'

const lists: string[] = []
afterAll(() => {
  for (const folder of lists) rmSync(folder, { recursive: true })
})

function digests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dorkos-digests-'))
  lists.push(folder)
  return join(folder, 'digests.json')
}

/** What an approval of these modules, and of what they import, writes. */
async function approve(list: string, ...modules: string[]): Promise<void> {
  const files = new Set((await Promise.all(modules.map((file) => moduleGraph(file)))).flat())
  writeFileSync(list, JSON.stringify(Object.fromEntries([...files].map((file) => [file, hashOf(file)]))))
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

it('loads what was approved, and nothing before that', async () => {
  const list = digests()
  await using host = startToolHost(
    {
      'a.mjs': moduleOf(
        'a',
        '() => word + more',
        `import { word } from './lib/word.js'\nimport more from './lib/more.cjs'`,
      ),
      'lib/word.js': `export { word } from './deep.mjs'`,
      'lib/deep.mjs': `import { z } from 'zod'\nexport const word = z.string().parse('deep')`,
      'lib/more.cjs': `module.exports = require('./data.json').more`,
      'lib/data.json': `{ "more": " data" }`,
    },
    { digests: list },
  )
  const { faults } = await host.failed('a.mjs')
  expect(faults[0]?.message).toMatch(/a\.mjs was not approved/)
  await approve(list, host.path('a.mjs'))
  await host.offers('a')
  expect(await host.call('a')).toBe('deep data')
})

it('drops a module when it, or what it imports, is no longer what was approved', async () => {
  const list = digests()
  await using host = startToolHost(
    {
      'a.mjs': moduleOf('a', '() => word', `import { word } from './lib/word.mjs'`),
      'lib/word.mjs': `export const word = 'good'`,
      'b.mjs': moduleOf('b', `() => 'b'`),
    },
    { digests: list },
  )
  await approve(list, host.path('a.mjs'), host.path('b.mjs'))
  await host.offers('a', 'b')
  host.save('lib/word.mjs', `console.log('RAN'); export const word = 'evil'`)
  await host.offers('b')
  expect((await host.failed('a.mjs')).faults[0]?.message).toMatch(
    /word\.mjs has changed since it was approved/,
  )
  host.save('b.mjs', moduleOf('b', `() => 'evil'`, `console.log('RAN')`))
  await host.offers()
  host.save('c.mjs', moduleOf('c', `() => 'evil'`, `console.log('RAN')`))
  expect((await host.failed('c.mjs')).faults[0]?.message).toMatch(/c\.mjs was not approved/)
  expect(host.hold.status().stderr.join('\n')).not.toContain('] RAN')
  await approve(list, host.path('a.mjs'))
  await host.offers('a')
  expect(await host.call('a')).toBe('evil')
})

it.each([
  ['a package of the folder', `import 'pack'`],
  ['a computed import', `await import('./lib/' + 'other.mjs')`],
  ['a computed require', `createRequire(import.meta.url)('./lib/' + 'other.cjs')`],
  ['a module that was required', `createRequire(import.meta.url)('./lib/' + 'other.mjs')`],
  ['code in an address', `await import('data:text/javascript,' + 'console.log("RAN")')`],
])('does not load %s that was not approved', async (_what, line) => {
  const list = digests()
  await using host = startToolHost(
    {
      'node_modules/pack/package.json': '{"name":"pack","main":"index.js"}',
      'node_modules/pack/index.js': `console.log('RAN')`,
      'lib/other.mjs': `console.log('RAN')`,
      'lib/other.cjs': `console.log('RAN')`,
      'a.mjs': moduleOf(
        'a',
        `() => 'a'`,
        `import { createRequire } from 'node:module'\nconsole.log('BEGUN')\n${line}`,
      ),
    },
    {
      digests: list,
      approve(folder) {
        const file = join(folder, 'a.mjs')
        writeFileSync(list, JSON.stringify({ [file]: hashOf(file) }))
        return list
      },
    },
  )
  const { faults } = await host.failed('a.mjs')
  expect(faults[0]?.message).toMatch(/was not approved, so it is not loaded/)
  expect(host.hold.status().stderr.join('\n')).not.toContain('] RAN')
})

it('loads nothing by a list that cannot be read', async () => {
  const list = digests()
  writeFileSync(list, '[')
  await using host = startToolHost({ 'a.mjs': moduleOf('a', `() => 'a'`) }, { digests: list })
  await host.failed('a.mjs')
  await host.offers()
})

it('loads only the files that are named', async () => {
  const files = { 'a.mjs': moduleOf('a', `() => 'a'`), 'b.mjs': moduleOf('b', `() => 'b'`) }
  await using host = startToolHost(files, { only: ['b.mjs'] })
  await host.offers('b')
})
