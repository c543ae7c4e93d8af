// Installs what the tests of sandboxed commands need, where that can be done without asking anybody: as root, with apt-get. Where it
// cannot be had, says which tests are skipped; that is no failure. Imported by `npm test`.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Programs by the Debian package that brings them. */
const programs = { bubblewrap: 'bwrap', socat: 'socat' }
const longestMs = 180_000
/** An offline machine finds out soon. */
const hasty = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15', '-o', 'DPkg::Lock::Timeout=60']

// Elsewhere there is a sandbox without further programs (macOS), or none at all.
if (process.platform === 'linux') ensure()

function ensure() {
  const wanted = missing()
  const tried = wanted.length > 0 && install(wanted)
  const left = missing()
  if (left.length > 0)
    warn(`${left.join(' and ')} not installed${tried ? ', and apt-get could not help' : ''}`)
  else {
    const fault = tryBubblewrap()
    if (fault) warn(`bubblewrap cannot make namespaces here: ${fault}`)
  }
}

function missing() {
  return Object.entries(programs).flatMap(([name, program]) => (find(program) ? [] : [name]))
}

/** Whether it was tried at all. */
function install(names) {
  if (process.getuid?.() !== 0 || !find('apt-get')) return false
  console.log(`Installing ${names.join(' and ')} …`)
  // The lists of packages may be missing, as in a fresh container.
  if (!aptGet('install', '-y', '--no-install-recommends', ...names) && aptGet('update'))
    aptGet('install', '-y', '--no-install-recommends', ...names)
  return true
}

function aptGet(...args) {
  const { status } = spawnSync('apt-get', [...hasty, ...args], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: longestMs,
  })
  return status === 0
}

/** Undefined when it works. */
function tryBubblewrap() {
  const args = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true']
  const { status, stderr, error } = spawnSync('bwrap', args, { encoding: 'utf8', timeout: 10_000 })
  return status === 0 ? undefined : error?.message || stderr.trim() || `exit code ${status}`
}

function warn(reason) {
  console.log(`There is no sandbox for commands here (${reason}).`)
  console.log(`What needs one is skipped in:\n  ${testsWithSandbox().join('\n  ')}`)
  if (missing().length > 0) console.log(`To run them too: apt-get install ${missing().join(' ')}`)
}

/** Tests ask one module whether there is a sandbox; who imports it, skips without. So do the cases of the contract suite that need one. */
function testsWithSandbox() {
  const found = ['contract/contract.test.ts', 'contract/sandbox.test.ts']
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name)
      if (!entry.name.endsWith('.test.ts') || /\/(node_modules|dist)\//.test(path)) continue
      if (readFileSync(path, 'utf8').includes('support/sandbox-here.ts')) found.push(path.slice(root.length))
    }
  }
  return found
}

function find(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      if (!isAbsolute(folder)) return false
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
