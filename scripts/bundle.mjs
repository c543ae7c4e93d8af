// Makes what is published of what the compiler left.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const processes = join(packages, 'processes/dist')
const sdk = join(packages, 'claude-code-agent/dist')

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
