// Compiles every ```ts block of the documentation as a module of its own, so that what the docs show is true.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = join(root, 'node_modules', '.doc-snippets')
rmSync(scratch, { recursive: true, force: true })
mkdirSync(scratch, { recursive: true })

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean)

let count = 0
for (const page of pages) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  let block
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('```ts')) block = { start: index + 1, lines: [] }
    else if (line.startsWith('```') && block) {
      // As many lines before it as on the page: the compiler's line numbers are the page's.
      const text = `${'\n'.repeat(block.start)}${block.lines.join('\n')}\nexport {}\n`
      writeFileSync(join(scratch, `${page.replaceAll('/', '__')}.${block.start}.ts`), text)
      block = undefined
      count++
    } else block?.lines.push(line)
  }
}

writeFileSync(
  join(scratch, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      noEmit: true,
      composite: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
      types: ['node'],
      typeRoots: ['../@types'],
    },
    include: ['*.ts'],
  }),
)
const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', scratch], {
  cwd: root,
  stdio: 'inherit',
})
rmSync(scratch, { recursive: true, force: true })
console.log(`${count} snippets of ${pages.length} pages compiled${status === 0 ? '' : ', with errors'}`)
process.exit(status ?? 1)
