// Installs and builds what is missing or out of date, for commands that run the compiled packages.
import './ensure-installed.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.built-sources')
const packages = readdirSync(join(root, 'packages'))
const sources = fingerprintOf(packages)
const isBuilt =
  packages.every((name) => existsSync(join(root, 'packages', name, 'dist', 'index.js'))) &&
  existsSync(join(root, 'packages/client/dist/page/index.html')) &&
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === sources

// Even a build with nothing to do takes a second: a server that only starts should not wait for it.
if (!isBuilt) await build()

async function build() {
  if (!existsSync(stamp)) console.log('Building …')
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const { status } = spawnSync(tsc, ['-b'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  await import('./bundle.mjs')
  buildPage()
  writeFileSync(stamp, sources)
}

/** In a process of its own: what builds it stays loaded, and nobody else needs it. Only where something of it is new. */
function buildPage() {
  const pageStamp = join(root, 'packages/client/dist/.page-sources')
  const now = fingerprintOf(['client', 'shared'])
  if (existsSync(pageStamp) && readFileSync(pageStamp, 'utf8') === now) return
  const { status } = spawnSync(process.execPath, [join(root, 'packages/client/build.mjs')], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(pageStamp, now)
}

/** Names, sizes and times of everything that the build of these packages reads. */
function fingerprintOf(names) {
  const hash = createHash('sha256').update(process.version)
  const add = (path) => {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  const addFolder = (folder) => {
    if (!existsSync(folder)) return
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
        add(join(entry.parentPath ?? entry.path, entry.name))
  }
  for (const name of names) {
    const folder = join(root, 'packages', name)
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && /\.(json|ts|mjs|html)$/.test(entry.name)) add(join(folder, entry.name))
    for (const part of ['src', 'public', 'diagram']) addFolder(join(folder, part))
  }
  for (const name of ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json']) add(join(root, name))
  return hash.digest('hex')
}
