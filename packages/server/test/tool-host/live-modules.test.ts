import { existsSync, renameSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { moduleOf, startToolHost } from '../support/tool-host-fixture.ts'

it('offers a module that is saved, changed and removed while a client holds it', async () => {
  await using host = startToolHost({})
  await host.offers()
  host.save('greet.mjs', moduleOf('greet', `() => 'hello'`))
  await host.offers('greet')
  expect(await host.call('greet')).toBe('hello')
  host.save('greet.mjs', moduleOf('greet', `() => 'good day'`))
  await host.answers('greet', 'good day')
  host.save('greet.mjs', moduleOf('welcome', `() => 'come in'`))
  await host.offers('welcome')
  host.remove('greet.mjs')
  await host.offers()
  expect(host.hold.status()).toMatchObject({ state: 'connected', failures: 0 })
})

it('takes single exports, lists and the default, and leaves the rest alone', async () => {
  const text = `
import { tool } from 'claude-code-agent'
const make = (name) => tool({ name, description: 'For a test.', inputSchema: {}, handler: () => name })
export const one = make('one')
export const list = [make('two'), make('three')]
export default one
export const limit = 3, nothing = null, helper = () => {}, options = { name: 'x' }
`
  await using host = startToolHost({
    'a.mjs': text,
    'b.js': moduleOf('four', `() => 'four'`),
    'c.txt': 'no module',
  })
  await host.offers('four', 'one', 'three', 'two')
  expect(await host.call('three')).toBe('three')
})

it('resolves claude-code-agent and zod, though the folder has no packages, and other packages from the folder', async () => {
  const text = `
import { tool } from 'claude-code-agent'
import { z } from 'zod'
import { half } from 'halving'
export default tool({
  name: 'half',
  description: 'For a test.',
  inputSchema: { n: z.number().default(8) },
  handler: ({ n }) => String(half(n)),
})
`
  await using host = startToolHost({
    'node_modules/halving/package.json': '{"name":"halving","main":"index.js"}',
    'node_modules/halving/index.js': 'exports.half = (n) => n / 2',
    'half.mjs': text,
  })
  await host.offers('half')
  expect(await host.call('half', {})).toBe('4')
  expect(await host.call('half', { n: 'two' })).toMatch(/^error: Invalid arguments/)
})

it('loads a module anew when a file that it imports changes, and no other module', async () => {
  const born = 'const born = Math.random()'
  const a = moduleOf('a', '() => word', `import { word } from './lib/a/word.mjs'`)
  const b = moduleOf('b', '() => word + born', `import { word } from './lib/b/word.mjs'\n${born}`)
  await using host = startToolHost({
    'lib/a/word.mjs': `export const word = 'old'`,
    'lib/b/word.mjs': `export const word = 'other'`,
    'a.mjs': a,
    'b.mjs': b,
  })
  await host.offers('a', 'b')
  const before = await host.call('b')
  expect(await host.call('a')).toBe('old')
  host.save('lib/a/word.mjs', `export const word = 'new'`)
  await host.answers('a', 'new')
  expect(await host.call('b')).toBe(before)
})

it('loads a module once a file that it imports is there', async () => {
  await using host = startToolHost({
    'a.mjs': moduleOf('a', `() => word`, `import { word } from './lib/word.mjs'`),
    'lib/README': '',
  })
  const { faults } = await host.failed('a.mjs')
  expect(faults).toEqual([
    { file: host.path('a.mjs'), line: 2, message: expect.stringContaining('Cannot find module') },
  ])
  host.save('lib/word.mjs', `export const word = 'found'`)
  await host.offers('a')
  expect(await host.call('a')).toBe('found')
})

it('lets a call finish in the version that it began in', async () => {
  const text = moduleOf(
    'wait',
    `async () => { await access(new URL('./go', import.meta.url).pathname); return version }`,
  )
  const waiting = (version: string) =>
    `const version = '${version}'
import { existsSync } from 'node:fs'
const access = async (path) => { console.log('begun'); while (!existsSync(path)) await new Promise((done) => setTimeout(done, 20)) }
${text}
export const extra = { ...only, name: version, handler: () => version }
`
  await using host = startToolHost({ 'wait.mjs': waiting('old') })
  await host.offers('old', 'wait')
  const call = host.call('wait')
  await expect.poll(() => host.hold.status().stderr.join(), { timeout: 50_000 }).toContain('begun')
  host.save('wait.mjs', waiting('young'))
  await host.offers('wait', 'young')
  const later = host.call('wait')
  host.save('go', '')
  expect(await call).toBe('old')
  expect(await later).toBe('young')
})

it('serves the old version through a save in steps', async () => {
  await using host = startToolHost({ 'a.mjs': moduleOf('a', `() => 'version 0'`) })
  await host.offers('a')
  let lost = 0
  host.hold.onChange(() => {
    if (host.hold.catalogue().tools.length === 0) lost += 1
  })
  // A machine may be too slow to save twice in half a second, but not each time.
  for (let version = 1; ; version++) {
    lost = 0
    const failing = `import { writeFileSync } from 'node:fs'\nwriteFileSync('ran-${version}', '')\nthrow new Error('half')`
    host.save('a.mjs', failing)
    await expect
      .poll(() => existsSync(host.path(`ran-${version}`)), { timeout: 50_000, interval: 5 })
      .toBe(true)
    const answer = await host.call('a').catch(() => 'gone')
    if (answer === 'gone') lost += 1
    else expect(answer).toBe(`version ${version - 1}`)
    host.save('a.mjs', moduleOf('a', `() => 'version ${version}'`))
    await host.offers('a')
    await host.answers('a', `version ${version}`)
    if (lost === 0) break
    expect(version).toBeLessThan(5)
  }
})

it('drops the tools of a module whose fault stays', async () => {
  await using host = startToolHost({ 'a.mjs': moduleOf('a', `() => 'old'`) })
  await host.offers('a')
  host.save('a.mjs', `export const broken = (\n`)
  await host.offers()
  const { faults } = await host.failed('a.mjs')
  expect(faults).toEqual([
    { file: host.path('a.mjs'), line: 2, message: 'SyntaxError: Unexpected end of input' },
  ])
})

it('takes a file that is moved into place, as many editors do', async () => {
  await using host = startToolHost({ 'a.mjs': moduleOf('a', `() => 'old'`) })
  await host.offers('a')
  host.save('.a.mjs.tmp', moduleOf('a', `() => 'new'`))
  renameSync(host.path('.a.mjs.tmp'), host.path('a.mjs'))
  await host.answers('a', 'new')
})

it('goes on when its folder is removed and made again', async () => {
  await using host = startToolHost({ 'a.mjs': moduleOf('a', `() => 'a'`) })
  await host.offers('a')
  rmSync(host.folder, { recursive: true })
  await host.offers()
  host.save('b.mjs', moduleOf('b', `() => 'b'`))
  await host.offers('b')
})

it('gives a name that two modules want to the first file, and reports the other', async () => {
  await using host = startToolHost({
    'a.mjs': moduleOf('same', `() => 'a'`),
    'b.mjs': `${moduleOf('Same', `() => 'b'`)}\nexport const more = { ...only, name: 'more' }\n`,
  })
  await host.offers('more', 'same')
  expect(await host.call('same')).toBe('a')
  const { faults, tools } = await host.report('b.mjs', ({ state }) => state === 'ready')
  expect(tools).toEqual(['more'])
  expect(faults).toEqual([
    { file: host.path('b.mjs'), message: `Tool 'Same' is left out: a.mjs has one of that name` },
  ])
  host.remove('a.mjs')
  await host.offers('Same', 'more')
})
