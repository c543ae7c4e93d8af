// The tests of what holds agents back, as an ordinary user: those whose outcome depends on who the user is. `npm test` runs them so, too, where
// it is root: in all modes then, and as root in two alone (`DORKOS_TEST_MODES=all`: in all as well). With `--all`, all of these tests, in all
// modes, and where this is root as root first. Other arguments go to vitest; names of files narrow the tests, and one that is of none of them is
// an error, but with `--passWithNoTests`.
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/**
 * What these try is decided by the server and by people, for root as for others: they run once, in all modes. Not here at all is what depends on
 * neither user nor mode: that nothing hangs, headers, tokens, the page.
 */
const alikeForAll = ['allowed-hooks', 'answering-for-a-person', 'policy-hooks', 'unconfirmed-folder']
const given = process.argv.slice(2)
const isAll = given.includes('--all')
const adversarial = 'packages/server/test/adversarial/'
const suites = [
  ...readdirSync(join(root, adversarial))
    .filter((file) => isAll || !alikeForAll.includes(file.replace('.test.ts', '')))
    .map((file) => adversarial + file),
  'packages/server/test/containers/',
  'packages/server/test/mcp/agents-gain-nothing.test.ts',
  'packages/server/test/accept-edits.test.ts',
  'packages/server/test/command-output.test.ts',
  'packages/server/test/without-sandbox.test.ts',
  'packages/server/src/adapters/claude/command-outputs.test.ts',
  'packages/server/src/adapters/container/containers.test.ts',
  'packages/server/src/adapters/system/find-sandbox.test.ts',
  'packages/server/src/adapters/system/process-memory.test.ts',
  'packages/server/src/adapters/system/root-sandbox.test.ts',
  'packages/server/src/adapters/system/run-as.test.ts',
  'packages/server/src/adapters/trust-files/trust-files.test.ts',
  // Its other cases are about what the CLI says and asks, which is the same for everybody.
  'contract/sandbox.test.ts',
]
/** Names a file that root may write. */
const reportFlag = '--outputFile.json='
/** Nobody's on any machine that we know of. */
const user = { uid: 23_456, gid: 23_456 }

const wanted = given.filter((argument) => !argument.startsWith('-'))
const flags = given.filter((argument) => argument.startsWith('-') && argument !== '--all')
const files = wanted.length === 0 ? suites : wanted.flatMap(suitesOf)
const unknown = wanted.filter((name) => suitesOf(name).length === 0)
if (unknown.length > 0 && !flags.includes('--passWithNoTests')) {
  console.error(`No suite that also runs as an ordinary user has this name: ${unknown.join(', ')}`)
  process.exitCode = 1
} else if (files.length > 0) {
  const isRoot = process.getuid?.() === 0
  const asRoot = isAll && isRoot ? inAllModes() : 0
  process.exitCode = (isRoot ? asUser() : isAll ? inAllModes() : run(vitest(flags), {})) || asRoot
}

function suitesOf(name) {
  return suites.flatMap((suite) => (suite.includes(name) ? [suite] : name.includes(suite) ? [name] : []))
}

function vitest(options) {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  // The other way of loading the configuration writes into node_modules.
  return [process.execPath, program, 'run', '--configLoader=runner', ...options, ...files]
}

function run([command, ...args], options) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status ?? 1
}

function inAllModes() {
  return run(vitest(flags), { env: { ...process.env, DORKOS_TEST_MODES: 'all' } })
}

function asUser() {
  // Short, since sockets lie below it, and where that user can go.
  const home = mkdtempSync('/tmp/dorkos-user-')
  chownSync(home, user.uid, user.gid)
  const { PATH, LANG, TERM, CI } = process.env
  const env = {
    PATH,
    HOME: home,
    TMPDIR: home,
    ...(LANG && { LANG }),
    ...(TERM && { TERM }),
    ...(CI && { CI }),
    ...(isAll && { DORKOS_TEST_MODES: 'all' }),
  }
  const [report, target] = [join(home, 'report.json'), flags.find((flag) => flag.startsWith(reportFlag))]
  const command = vitest(flags.map((flag) => (flag === target ? `${reportFlag}${report}` : flag)))
  const canRead = [process.execPath, '-e', 'fs.readFileSync(process.argv[1])', join(root, 'package.json')]
  try {
    if (run(canRead, { ...user, env, stdio: 'ignore' }) === 0) return run(command, { ...user, env })
    const shown = shownTo(home)
    if (run([...shown, ...canRead], { env, stdio: 'ignore' }) === 0)
      return run([...shown, ...command], { env })
    console.log(
      `Not as an ordinary user: others cannot read ${root} (or ${process.execPath}), and a mount that shows it to them cannot be made. As root, then, in all modes.`,
    )
    return inAllModes()
  } finally {
    if (target && existsSync(report)) copyFileSync(report, target.slice(reportFlag.length))
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/**
 * The beginning of a command in which others see this folder, and Node, under their own paths, though they lie in a folder that is closed
 * to others, as root's home is: for that command alone, the closed folder holds nothing else.
 */
function shownTo(home) {
  const stage = join(home, 'stage')
  mkdirSync(stage)
  const kept = [root, dirname(dirname(process.execPath))].filter((path) => closedAbove(path) !== undefined)
  const closed = [...new Set(kept.map(closedAbove))]
  const quoted = (path) => `'${path.replaceAll("'", `'\\''`)}'`
  const script = [
    'set -e; umask 022',
    `mount -t tmpfs tmpfs ${stage}`,
    ...kept.map((path, n) => `mkdir ${stage}/${n}; mount --rbind ${quoted(path)} ${stage}/${n}`),
    ...closed.map((path) => `mount -t tmpfs -o mode=755 tmpfs ${quoted(path)}`),
    ...kept.map((path, n) => `mkdir -p ${quoted(path)}; mount --rbind ${stage}/${n} ${quoted(path)}`),
    `cd ${quoted(root)}`,
    `exec setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups --inh-caps=-all -- "$@"`,
  ].join('\n')
  return ['unshare', '--mount', '--propagation=private', 'sh', '-c', script, 'sh']
}

/** The first folder on the way to it that others cannot enter. */
function closedAbove(path) {
  const above = dirname(path)
  const found = above === path ? undefined : closedAbove(above)
  return found ?? ((statSync(path).mode & 0o001) === 0 ? path : undefined)
}
