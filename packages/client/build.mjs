// Builds the page into dist/page, or the folder that is named: the page, the diagram frame, and compressed copies beside the files.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { stampWorker } from './stamp-worker.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = resolve(
  process.argv.slice(2).find((word) => !word.startsWith('--')) ?? join(here, 'dist/page'),
)
const quick = process.argv.includes('--quick')

await build({ configFile: join(here, 'vite.config.ts'), logLevel: 'warn', build: { outDir: folder } })
await build({
  configFile: join(here, 'vite.diagram.config.ts'),
  logLevel: 'warn',
  build: { outDir: join(folder, 'diagram') },
})
cpSync(join(here, 'diagram/index.html'), join(folder, 'diagram/index.html'))
stampWorker(folder)
if (!quick) await compressAll()

async function compressAll() {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg|webmanifest|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  await Promise.all(files.map(compress))
}

async function compress(file) {
  const bytes = readFileSync(file)
  if (bytes.length < 1024) return
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1_000_000 ? 9 : 11 } }
  writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, options))
}
