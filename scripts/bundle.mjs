// Makes what is published of what the compiler left.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const processes = join(packages, 'processes/dist')
const sdk = join(packages, 'claude-code-agent/dist')
const command = join(packages, 'cli/dist')

// One file loads in a third of the time that a hundred take (docs/decisions/0004-one-file-to-import.md). What is imported on first
// use stays in files of its own.
rmSync(join(sdk, 'chunks'), { recursive: true, force: true })
await bundle(join(sdk, 'modules/index.js'), sdk)
includeTypes(join(sdk, 'modules'))

for (const output of ['mcp-gateway/dist', 'server/dist'].map((path) => join(packages, path))) {
  await bundle(join(processes, 'index.js'), join(output, 'processes'))
  nameTheCopy(output, '.js')
  includeTypes(output)
}

await bundleThreads()
await bundleCommand()

/**
 * The command with the whole server in it, but for what runs in threads and processes of its own: 17 MB less of memory at rest than
 * 780 modules take, and a faster start. Names stay as they are, for logs.
 */
async function bundleCommand() {
  const dir = join(command, 'bundle')
  rmSync(dir, { recursive: true, force: true })
  const build = await rolldown({
    input: join(command, 'main.js'),
    platform: 'node',
    // What prefers CommonJS for Node has modules too.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [{ name: 'own-url', transform: (code, id) => ({ code: withOwnUrl(code, id), map: null }) }],
    logLevel: 'warn',
  })
  const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
  const { output } = await build.write({ dir, format: 'esm', minify, chunkFileNames: '[name]-[hash].js' })
  await build.close()
  // V8 keeps a text with one character beyond Latin-1 in twice the room.
  for (const { fileName, code } of output)
    writeFileSync(
      join(dir, fileName),
      code.replace(/[^\0-\xff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )
}

/** A module that asks where it is, or resolves a name from there, gets the same answers inside the bundle. */
function withOwnUrl(code, id) {
  // The command itself is what starts it again: its URL is the bundle's.
  const isOurs = id.startsWith(packages) && id !== join(command, 'main.js')
  if (!isOurs || !/\bimport\.meta\.(url|resolve)\b/.test(code)) return code
  return `
import { createRequire as $createRequire } from 'node:module'
import { pathToFileURL as $pathToFileURL } from 'node:url'
const $url = ${urlOf(id)}
const $resolve = (name) => $pathToFileURL($createRequire($url).resolve(name)).href
${code.replaceAll('import.meta.url', '$url').replaceAll('import.meta.resolve(', '$resolve(')}`
}

/** An expression: the module's address as the package that it is of has it, found from where the command is installed. */
function urlOf(id) {
  const [, name, path] = id.match(/packages[\\/]([^\\/]+)[\\/]dist[\\/](.*)$/)
  const rest = JSON.stringify(`./${path.split(sep).join('/')}`)
  if (name === 'cli') return `new URL('.${rest.slice(1, -1)}', import.meta.url).href`
  const server = `import.meta.resolve('@dorkos/server')`
  if (name === 'server') return `new URL(${rest}, ${server}).href`
  const { name: published } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return `new URL(${rest}, $pathToFileURL($createRequire(${server}).resolve('${published}'))).href`
}

/**
 * What runs in threads of the server, one file each: a thread has nothing of what the main one has loaded, and 33 modules with their way
 * through Node's loader take 10 MB where one file takes 3.
 */
async function bundleThreads() {
  const adapters = join(packages, 'server/dist/adapters')
  const threads = {
    database: 'sqlite/worker/worker.js',
    checkpointer: 'sqlite/worker/checkpointer.js',
    maintenance: 'sqlite/worker/maintenance.js',
    'transcript-index': 'transcripts/worker/worker.js',
  }
  const dir = join(packages, 'server/dist/threads')
  rmSync(dir, { recursive: true, force: true })
  for (const [name, path] of Object.entries(threads)) {
    const build = await rolldown({
      input: join(adapters, path),
      platform: 'node',
      external: [/^node:/, 'libsql'],
      logLevel: 'warn',
    })
    await build.write({ file: join(dir, `${name}.js`), format: 'esm', codeSplitting: false, sourcemap: true })
    await build.close()
  }
}

async function bundle(input, dir) {
  const build = await rolldown({
    input,
    platform: 'node',
    external: [/^node:/, /^@cfworker\//, /^zod(\/|$)/],
    logLevel: 'warn',
  })
  const names = { entryFileNames: 'index.js', chunkFileNames: 'chunks/[name].js' }
  await build.write({ dir, format: 'esm', sourcemap: true, ...names })
  await build.close()
}

function includeTypes(output) {
  mkdirSync(join(output, 'processes'), { recursive: true })
  for (const name of readdirSync(processes).filter((name) => name.endsWith('.d.ts')))
    copyFileSync(join(processes, name), join(output, 'processes', name))
  nameTheCopy(output, '.d.ts')
}

/** `@dorkos/processes` is not published: who uses it has a copy, and names that. */
function nameTheCopy(output, extension) {
  const copy = join(output, 'processes/index.js')
  for (const name of readdirSync(output, { recursive: true }).filter((name) => name.endsWith(extension))) {
    const file = join(output, name)
    const text = readFileSync(file, 'utf8')
    const path = relative(dirname(file), copy).replace(/^(?!\.)/, './')
    if (text.includes(`'@dorkos/processes'`))
      writeFileSync(file, text.replaceAll(`'@dorkos/processes'`, `'${path}'`))
  }
}
