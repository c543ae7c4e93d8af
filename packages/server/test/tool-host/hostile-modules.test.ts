import { statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moduleOf, startToolHost, type ToolHostFixture } from '../support/tool-host-fixture.ts'

const good = { 'good.mjs': moduleOf('good', `() => 'fine'`) }

/** What it does, its text, and with which line and message it is reported. */
const unloadable: [string, string, number | undefined, RegExp][] = [
  ['throws', `\n\nthrow new Error('no such thing')`, 3, /^no such thing$/],
  ['throws in what it imports', `import './lib/deep.mjs'`, 4, /^deep$/],
  ['throws no error', `throw undefined`, undefined, /^undefined$/],
  ['has wrong syntax', `const a = 1\nconst b = = 2`, 2, /^SyntaxError: Unexpected token '='$/],
  ['imports wrong syntax', `import './lib/syntax.mjs'`, 2, /^SyntaxError/],
  [
    'imports what is not exported',
    `\nimport { nothing } from 'zod'`,
    2,
    /does not provide an export named 'nothing'/,
  ],
  ['imports an unknown package', `\n\nimport 'nowhere'`, 3, /Cannot find package 'nowhere'/],
  ['rejects', `Promise.reject(new Error('forgotten'))\nawait new Promise(() => {})`, 1, /^forgotten$/],
  ['ends the process', `process.exit(3)`, undefined, /called process\.exit\(3\)/],
  ['exports no tool', `export const a = 1`, undefined, /^It exports no tool/],
  [
    'declares a tool wrongly',
    `import { tool } from 'claude-code-agent'\nexport default tool({ name: 'a b' })`,
    2,
    /^Tool name 'a b'/,
  ],
  [
    'exports what is nearly a tool',
    `export default { name: 'x', inputSchema: {}, handler: 1 }`,
    undefined,
    /^Tool 'x': description/,
  ],
  [
    'needs too much memory',
    `const all = []\nfor (;;) all.push(new Array(100_000).fill(all.length))`,
    undefined,
    /more than 256 MB of memory/,
  ],
]

describe('a module that cannot be loaded is reported with file and line, and its neighbours serve', () => {
  const fileOf = (what: string) => `${what.replaceAll(' ', '-')}.mjs`
  let host: ToolHostFixture
  beforeAll(() => {
    host = startToolHost({
      ...good,
      ...Object.fromEntries(unloadable.map(([what, text]) => [fileOf(what), text])),
      'lib/deep.mjs': `export function fail() {\n\n\n  throw new Error('deep')\n}\nfail()\n`,
      'lib/syntax.mjs': `\nexport const x = )\n`,
      // It does not keep a core busy for the ten seconds that it has.
      'loops.mjs': 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)',
      'waits.mjs': 'await new Promise(() => {})',
    })
  })
  afterAll(() => host[Symbol.asyncDispose]())

  it.each(unloadable)('%s', async (what, _text, line, message) => {
    const { faults } = await host.failed(fileOf(what))
    expect(faults).toHaveLength(1)
    expect(faults[0]?.message).toMatch(message)
    expect(faults[0]?.line).toBe(line)
    expect(faults[0]?.file.startsWith(host.folder)).toBe(true)
    await host.offers('good')
    expect(await host.call('good')).toBe('fine')
    expect(host.hold.status().stderr.join('\n')).toContain(faults[0]?.message)
    expect(host.hold.status()).toMatchObject({ state: 'connected', failures: 0 })
  })

  it('loops, or waits for ever', async () => {
    for (const name of ['loops.mjs', 'waits.mjs']) {
      const { faults } = await host.failed(name)
      const message = expect.stringMatching(/not loaded within 10 s/)
      expect(faults).toEqual([{ file: host.path(name), message }])
    }
    expect(await host.call('good')).toBe('fine')
  })
})

it('gives up a version that hangs as soon as there is another', async () => {
  const loop = `import { appendFileSync } from 'node:fs'
for (;;) {
  appendFileSync('alive', 'x')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
}`
  await using host = startToolHost({ 'a.mjs': loop })
  const alive = () => statSync(host.path('alive'), { throwIfNoEntry: false })?.size ?? 0
  await expect.poll(alive, { timeout: 50_000 }).toBeGreaterThan(0)
  host.save('a.mjs', moduleOf('a', `() => 'better'`))
  await host.offers('a')
  expect(await host.call('a')).toBe('better')
  // Well before the ten seconds that a version has.
  const stands = async () => {
    const before = alive()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return alive() === before
  }
  await expect.poll(stands, { timeout: 4000, interval: 0 }).toBe(true)
})

describe('a tool that misbehaves in a call', () => {
  const bad = (handler: string, more = '') =>
    moduleOf('bad', `(args) => (${handler})()`, 'const born = Math.random()').replace(
      'inputSchema: {},',
      `inputSchema: {},${more}`,
    )

  it.concurrent.each([
    [
      'loops',
      `() => { for (;;) {} }`,
      'timeoutMs: 300,',
      /^error: Tool 'bad' took longer than 300 ms and blocked its thread/,
    ],
    [
      'ends the process',
      `() => process.exit(7)`,
      '',
      /^error: Tool 'bad' did not finish: its module called process\.exit\(7\)/,
    ],
    [
      'crashes',
      `() => { setTimeout(() => { throw new Error('later') }); return new Promise(() => {}) }`,
      '',
      /^error: Tool 'bad' did not finish: its module crashed: later/,
    ],
    [
      'leaves a rejection',
      `() => { Promise.reject(new Error('forgotten')); return new Promise(() => {}) }`,
      '',
      /its module crashed: forgotten/,
    ],
    [
      'needs too much memory',
      `() => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)) }`,
      '',
      /more than 256 MB of memory/,
    ],
  ])(
    '%s: the call fails, the module is started anew, its neighbour knows nothing',
    async (_what, handler, more, message) => {
      const text = `${bad(handler, more)}\nexport const second = { ...only, name: 'born', handler: () => String(born) }\n`
      await using host = startToolHost({ 'bad.mjs': text, ...good })
      await host.offers('bad', 'born', 'good')
      const born = await host.call('born')
      const [failed, fine] = await Promise.all([host.call('bad'), host.call('good')])
      expect(failed).toMatch(message)
      expect(fine).toBe('fine')
      const again = await host.call('born')
      expect(again).toMatch(/^0\.\d+$/)
      expect(again).not.toBe(born)
      const { faults } = await host.report('bad.mjs', ({ state }) => state === 'ready')
      expect(faults).toHaveLength(1)
      expect(host.hold.status()).toMatchObject({ state: 'connected', failures: 0 })
    },
  )

  it('names the line of a crash', async () => {
    const text = bad(`() => { setTimeout(() => { throw new Error('later') }); return new Promise(() => {}) }`)
    await using host = startToolHost({ 'bad.mjs': text })
    await host.offers('bad')
    await host.call('bad')
    const { faults } = await host.report('bad.mjs', ({ faults }) => faults.length > 0)
    expect(faults).toEqual([
      { file: host.path('bad.mjs'), line: 7, column: expect.any(Number), message: 'It crashed: later' },
    ])
  })

  it('is late without a loop: it is told to stop, and its thread goes on', async () => {
    const text = `${bad(`() => new Promise(() => {})`, 'timeoutMs: 100,')}\nexport const second = { ...only, name: 'born', handler: () => String(born) }\n`
    await using host = startToolHost({ 'bad.mjs': text })
    await host.offers('bad', 'born')
    const born = await host.call('born')
    expect(await host.call('bad')).toMatch(/^error: Tool 'bad' timed out after 100 ms/)
    expect(await host.call('born')).toBe(born)
  })

  it('is notified when its call is cancelled', async () => {
    const text = moduleOf(
      'wait',
      `(args, { signal }) => new Promise(() => { console.log('begun'); signal.addEventListener('abort', () => console.log('stopped')) })`,
    )
    await using host = startToolHost({ 'wait.mjs': text })
    await host.offers('wait')
    const cancel = new AbortController()
    const call = host.call('wait', {}, cancel.signal)
    await expect.poll(() => host.hold.status().stderr.join('\n'), { timeout: 50_000 }).toContain('begun')
    cancel.abort()
    await expect(call).rejects.toThrow(/cancelled/)
    await expect
      .poll(() => host.hold.status().stderr.join('\n'), { timeout: 50_000 })
      .toContain('[wait.mjs] stopped')
  })

  it('gives a result that is far too large: an error says so, and the connection holds', async () => {
    await using host = startToolHost({ 'bad.mjs': bad(`() => 'x'.repeat(20_000_000)`), ...good })
    await host.offers('bad', 'good')
    expect(await host.call('bad')).toMatch(/^error: Tool 'bad' gave a result of \d+ characters/)
    expect(await host.call('good')).toBe('fine')
  })
})

it('keeps what modules print out of the protocol, however they print it', async () => {
  const text = moduleOf(
    'loud',
    `() => {
    console.log('{"jsonrpc":"2.0","id":1,"result":{}}')
    process.stdout.write('no line end')
    spawnSync('echo', ['from a child'], { stdio: ['ignore', 'inherit', 'inherit'] })
    writeSync(1, 'past everything, no line end')
    return 'done'
  }`,
    `import { writeSync } from 'node:fs'\nimport { spawnSync } from 'node:child_process'\nconsole.log('hello from the module')`,
  )
  await using host = startToolHost({ 'loud.mjs': text })
  await host.offers('loud')
  for (let count = 0; count < 20; count++) expect(await host.call('loud')).toBe('done')
  expect(host.hold.status()).toMatchObject({ state: 'connected', failures: 0 })
  expect(host.hold.status().stderr.join('\n')).toContain('[loud.mjs] ')
})

it('cuts what a module prints without end', async () => {
  const flood = `async () => { for (let n = 0; n < 2000; n++) { console.log('x'.repeat(1000)); if (n % 100 === 0) await new Promise((done) => setImmediate(done)) } return 'done' }`
  await using host = startToolHost({ 'loud.mjs': moduleOf('loud', flood) })
  await host.offers('loud')
  expect(await host.call('loud')).toBe('done')
  await expect
    .poll(() => host.hold.status().stderr.join('\n'), { timeout: 50_000 })
    .toContain('[loud.mjs] prints too much; the next lines are left out')
})

it('lets a module use the messages of its thread', async () => {
  const before = `import { parentPort } from 'node:worker_threads'\nparentPort.postMessage({ type: 'ready', tools: [] })\nparentPort.postMessage('x')`
  await using host = startToolHost({ 'a.mjs': moduleOf('a', `() => 'a'`, before) })
  await host.offers('a')
  expect(await host.call('a')).toBe('a')
})
