/** The script as `npm test` runs it, with programs of our own on its PATH. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('./ensure-sandbox.mjs', import.meta.url))
const isRoot = process.getuid?.() === 0
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ensure-sandbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function add(name: string, body: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
}

/** Notes how it was called; `then` is what it does. */
function addAptGet(then: string): void {
  add('apt-get', `echo "$@" >> ${folder}/calls\n${then}`)
}

function run(): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, [script], {
    env: { PATH: folder },
    encoding: 'utf8',
  })
  return { status, stdout }
}

function calls(): string[] {
  try {
    return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

describe.skipIf(process.platform !== 'linux')('what the tests need for a sandbox', () => {
  it('is left alone where it is there', () => {
    add('bwrap', 'exit 0')
    add('socat', 'exit 0')
    addAptGet('exit 0')
    expect(run()).toEqual({ status: 0, stdout: '' })
    expect(calls()).toEqual([])
  })

  it('is not a failure where it cannot be had; the tests that are skipped are named', () => {
    const { status, stdout } = run()
    expect(status).toBe(0)
    expect(stdout).toContain('bubblewrap and socat not installed')
    expect(stdout).toMatch(
      /skipped in:\n {2}contract\/contract\.test\.ts\n {2}contract\/sandbox\.test\.ts\n {2}packages\//,
    )
  })

  it('is said to be missing where the system forbids namespaces', () => {
    add('bwrap', 'echo "No permissions to create a new namespace" >&2; exit 1')
    add('socat', 'exit 0')
    const { status, stdout } = run()
    expect(status).toBe(0)
    expect(stdout).toContain('No permissions to create a new namespace')
  })

  it.runIf(isRoot)('is installed by root: only what is missing, after an update if need be', () => {
    add('bwrap', 'exit 0')
    addAptGet(
      `case "$*" in *update*) : > ${folder}/updated ;; *install*) [ -e ${folder}/updated ] || exit 100; printf '#!/bin/sh\\n' > ${folder}/socat; /bin/chmod +x ${folder}/socat ;; esac`,
    )
    const { status, stdout } = run()
    expect(status).toBe(0)
    expect(stdout).toBe('Installing socat …\n')
    const done = calls()
    expect(done).toHaveLength(3)
    expect(done[2]).toMatch(/install -y --no-install-recommends socat$/)
    expect(done[1]).toMatch(/update$/)
  })

  it.runIf(isRoot)('is no failure when apt-get fails', () => {
    addAptGet('exit 100')
    const { status, stdout } = run()
    expect(status).toBe(0)
    expect(stdout).toContain('and apt-get could not help')
    expect(stdout).toContain('apt-get install bubblewrap socat')
  })
})
