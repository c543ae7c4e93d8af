// Writes the table of docs/configuration.md from the schema. With --check it only compares, and fails when it is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../docs/configuration.md', import.meta.url))
const built = new URL('../packages/server/dist/config/config-reference.js', import.meta.url)
const begin = '<!-- begin: made by scripts/config-docs.mjs from the schema -->'
const end = '<!-- end -->'

if (!existsSync(built)) fail('packages/server is not built: run npm run build first')
const { configReference } = await import(built.href)

const text = existsSync(page) ? readFileSync(page, 'utf8') : `# Configuration\n\n${begin}\n${end}\n`
const from = text.indexOf(begin)
const to = text.indexOf(end, from)
if (from < 0 || to < 0) fail(`docs/configuration.md needs the lines ${begin} and ${end}`)
const wanted = `${text.slice(0, from + begin.length)}\n\n${configReference()}\n${text.slice(to)}`

if (!process.argv.includes('--check')) writeFileSync(page, wanted)
else if (wanted !== text) fail('docs/configuration.md is stale: run node scripts/config-docs.mjs')

function fail(message) {
  console.error(message)
  process.exit(1)
}
