import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { version } from '../src/version.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** Runs a module in a fresh Node with the built package, and gives what it printed. */
function run(code: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: new URL('..', import.meta.url).pathname,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout.trim()
}

describe('the package', () => {
  it('has no more than two runtime dependencies, and knows its version', () => {
    expect(Object.keys(manifest.dependencies ?? {}).length).toBeLessThanOrEqual(2)
    expect(manifest.sideEffects).toBe(false)
    expect(version).toBe(manifest.version)
  })

  it('loads nothing but its own files and node modules when it is imported', () => {
    const loaded = run(`
      import { register } from 'node:module'
      const hook = 'export async function resolve(s, c, n) { const r = await n(s, c); if (!r.url.startsWith("node:") && !r.url.includes("/claude-code-agent/dist/")) console.log(r.url); return r }'
      register('data:text/javascript,' + encodeURIComponent(hook))
      await import('claude-code-agent')
      process.exit(0)
    `)
    expect(loaded).toBe('')
  })

  it('starts no process, timer or listener by being imported', () => {
    const left = run(`
      const before = process.eventNames().length
      await import('claude-code-agent')
      console.log(process.getActiveResourcesInfo().filter((name) => name !== 'CloseReq' && name !== 'FSReqPromise').length, process.eventNames().length - before)
    `)
    expect(left).toBe('0 0')
  })

  it('can be shaken: a program that uses one function does not carry the rest', async () => {
    const size = async (code: string) => {
      const build = await rolldown({
        input: 'program',
        platform: 'node',
        external: [/^node:/, /^@cfworker\//, /^zod/],
        plugins: [
          {
            name: 'program',
            resolveId: (id) => (id === 'program' ? id : null),
            load: (id) => (id === 'program' ? code : null),
          },
        ],
        cwd: fileURLToPath(new URL('..', import.meta.url)),
      })
      const { output } = await build.generate({ format: 'esm', codeSplitting: false })
      await build.close()
      return output.reduce((sum, file) => sum + ('code' in file ? file.code.length : 0), 0)
    }
    const all = await size(`export * from './dist/index.js'`)
    const one = await size(`export { isClaudeCodeAgentError } from './dist/index.js'`)
    expect(one).toBeLessThan(all / 5)
  })
})
